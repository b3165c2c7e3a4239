// The kernel's arguments come from braced lists: the elements' type, and their number, which is that of an array.
#include <initializer_list>

template <class T, int Count>
__global__ void fill(T *data) {
    *data = T(Count);
}

template <class T>
void each(std::initializer_list<T>) {
    fill<T, 1><<<1, 1>>>(nullptr); //~[host,sm_90] arch-dependent-instantiation "`fill<float, 1>` (and 2 more)"
}

template <class T, int Count>
void all(const T (&)[Count]) {
    fill<T, Count><<<1, 1>>>(nullptr);
}

void use() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    each({1, 2});
    auto sizes = {1.5f, 2.5f};
    each(sizes);
    all({1, 2, 3});
#endif
}
