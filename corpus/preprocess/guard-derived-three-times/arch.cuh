#pragma once

#ifdef __CUDA_ARCH__
#define MY_ARCH __CUDA_ARCH__
#else
#define MY_ARCH 0
#endif
