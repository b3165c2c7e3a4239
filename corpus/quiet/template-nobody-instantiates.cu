// The guarded launch depends on the parameters of a template that is never instantiated here.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

template <class T>
void reset(T *data) {
#ifndef __CUDA_ARCH__
    clear<T><<<1, 1>>>(data);
#endif
}

template <class T>
struct Owner {
    T *data;
    void release() {
#ifndef __CUDA_ARCH__
        clear<T><<<1, 1>>>(data);
#endif
    }
};

Owner<int> owner;

int main() {
    return 0;
}
