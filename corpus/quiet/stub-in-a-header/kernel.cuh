#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
__global__ void attend(const float *q, float *out, int rows) {}
#else
__global__ void attend(const float *q, float *out, int rows) {
    out[threadIdx.x] = q[rows];
}
#endif
