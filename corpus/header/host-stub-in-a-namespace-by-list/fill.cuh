// What CCCL does about it: an inline namespace named after the list of targets gives each object a stub of its own. A
// static kernel has one anyway, and one that only one of the units uses has no twin.
#pragma once
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

namespace detail {
inline namespace JOIN(for_, __CUDA_ARCH_LIST__) {
template <class T>
__global__ void fill(T *data) {
    *data = T(1);
}
}
template <class T>
static __global__ void drain(T *data) {
    *data = T(0);
}
template <class T>
__global__ void shuffle(T *data) {
    *data = data[threadIdx.x ^ 1];
}
}
