// The lists differ, but every target of either takes the same arm.
#pragma once

template <class T>
__device__ T shift(T x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    return x << 3;
#else
    return x << 2;
#endif
}
