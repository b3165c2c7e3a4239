#pragma once
inline __device__ int depth() { //~ arch-dependent-header "`depth` is one thing in left.cu (compute_80) and another in right.cu (compute_90)"
#if __CUDA_ARCH__ >= 900
    return 4;
#else
    return 2;
#endif
}
