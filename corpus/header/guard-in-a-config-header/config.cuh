#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define FAST_SHIFT 1
#else
#define FAST_SHIFT 0
#endif
