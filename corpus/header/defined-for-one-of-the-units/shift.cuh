// Only the unit for new GPUs has a definition, so there are not two copies to choose from.
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
inline __device__ int shift(int x) {
    return x << 3;
}
#else
__device__ int shift(int x);
#endif
