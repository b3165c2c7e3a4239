// One function with a definition in each group of a conditional, and one with a definition under a conditional of its
// own for each kind of target: every object has one of the two definitions.
#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline __device__ int shift(int x) { //~ arch-dependent-header "shift"
    return x << 3;
}
#else
inline __device__ int shift(int x) {
    return x << 2;
}
#endif

#if __CUDA_ARCH__ >= 900
template <class T>
__device__ T rotate(T x) { //~ arch-dependent-header "rotate"
    return x * 8;
}
#endif
#if __CUDA_ARCH__ < 900
template <class T>
__device__ T rotate(T x) {
    return x * 4;
}
#endif
