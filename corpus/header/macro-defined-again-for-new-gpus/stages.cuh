// The unit for old GPUs has the macro from outside of any conditional; the other replaces it for its target. The number
// of the architecture itself is in a third function, and in a fourth a macro of both that comes out alike.
#pragma once

#define STAGES 2
#define WARP 32
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#undef STAGES
#define STAGES 4
#define HAS_CLUSTERS 1
#endif

template <class T>
__device__ T stages(T x) { //~ arch-dependent-header "stages"
    return x * STAGES;
}

template <class T>
__device__ T clusters(T x) { //~ arch-dependent-header "clusters"
#ifdef HAS_CLUSTERS
    return x * 16;
#else
    return x;
#endif
}

template <class T>
__device__ T number(T x) { //~ arch-dependent-header "number"
#ifdef __CUDA_ARCH__
    return x + __CUDA_ARCH__;
#else
    return x;
#endif
}

template <class T>
__device__ T warps(T x) {
    return x / WARP;
}
