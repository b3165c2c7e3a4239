// `if constexpr` discards one launch in each pass, and which one depends on a trait that differs.
template <class T>
struct HasAsyncCopy {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static constexpr bool value = true;
#else
    static constexpr bool value = false;
#endif
};

template <class T>
__global__ void copy_async(T *out) {
    *out = T(1);
}
template <class T>
__global__ void copy_sync(T *out) {
    *out = T(2);
}

template <class T>
void copy(T *out) {
    if constexpr (HasAsyncCopy<T>::value) {
        copy_async<<<1, 1>>>(out);
    } else {
        copy_sync<<<1, 1>>>(out); //~[sm_90] arch-dependent-instantiation "copy_sync"
    }
}

int main() {
    copy((float *)nullptr);
    return 0;
}
