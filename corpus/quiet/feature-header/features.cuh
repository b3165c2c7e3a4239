#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TMA_AVAILABLE
#endif

static __device__ __forceinline__ constexpr bool tma_available() {
#ifdef TMA_AVAILABLE
    return true;
#else
    return false;
#endif
}
