// Two packs of the same length, with other types in them: the launch takes the length, a fold of their sizes, and the
// one type that both have in front.
template <class... Ts>
struct Pack {
    static constexpr int kCount = sizeof...(Ts);
    static constexpr int kBytes = (0 + ... + static_cast<int>(sizeof(Ts)));
};

template <class T, class... Rest>
T first_of(Pack<T, Rest...>);

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using Fields = Pack<float, int, double>;
#else
using Fields = Pack<float, double, unsigned>;
#endif

template <class T, int Count, int Bytes>
__global__ void gather(T *out) {
    *out = Count + Bytes;
}

void run(float *out) {
    gather<decltype(first_of(Fields())), Fields::kCount, Fields::kBytes><<<1, 1>>>(out);
}
