// What ends the recursion is in a header that is not read here. It leads to a kernel in each of its levels, behind the
// next one, and the kernel's argument varies.
#include <type_traits>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Scalar = double;
#else
using Scalar = float;
#endif

template <class T>
__global__ void merge(T *data) {
    data[threadIdx.x] = T();
}

template <int Level, class T>
void halve(T *data, std::true_type);

template <int Level, class T>
void halve(T *data, std::false_type);

template <int Level, class T>
void halve(T *data, std::true_type) {
    halve<Level + 1>(data, std::integral_constant<bool, (Level < 6)>{});
    merge<<<1, 1 << Level>>>(data); //~[host,sm_90] arch-dependent-instantiation "merge<double>"
}

template <int Level, class T>
void halve(T *, std::false_type) {
}

void sort(Scalar *data) {
    halve<0>(data, std::true_type{});
}
