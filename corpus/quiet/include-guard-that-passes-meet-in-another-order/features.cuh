#ifndef FEATURES_CUH
#define FEATURES_CUH

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
#define HAS_ATOMIC_BUILTINS 1
#else
#define HAS_ATOMIC_BUILTINS 0
#endif

#if !HAS_ATOMIC_BUILTINS
#include "fences.cuh"
#endif

#endif
