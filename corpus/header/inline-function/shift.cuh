// An inline device function whose body depends on the macro, in objects for different lists of architectures.
#pragma once

inline __device__ int shift(int x) { //~ arch-dependent-header "shift"
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return x << 3;
#else
    return x << 2;
#endif
}
