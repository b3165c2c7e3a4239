// A function that an earlier declaration makes inline, and one that an earlier declaration makes static.
#pragma once

inline __device__ int shift(int x);
static __device__ int turn(int x);

__device__ int shift(int x) { //~ arch-dependent-header "shift"
#if __CUDA_ARCH__ >= 900
    return x << 3;
#else
    return x << 2;
#endif
}

__device__ int turn(int x) {
#if __CUDA_ARCH__ >= 900
    return x << 3;
#else
    return x << 2;
#endif
}
