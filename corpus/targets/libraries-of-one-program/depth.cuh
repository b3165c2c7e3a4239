#pragma once
inline __device__ int depth() { //~ arch-dependent-header "`depth` is one thing in left.cu"
#if __CUDA_ARCH__ >= 900
    return 4;
#else
    return 2;
#endif
}
