// A static function belongs to its unit: the linker never chooses between copies.
#pragma once

static __device__ int shift(int x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return x << 3;
#else
    return x << 2;
#endif
}
