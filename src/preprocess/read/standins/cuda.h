// What the CUDA driver's header contributes to conditionals, in our own words.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__
#ifdef __CUDACC_VER_MAJOR__
#define CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#else
#define CUDA_VERSION 13000
#endif
#define CUDAAPI
#define CUDA_CB
#endif
