// What the CUDA driver's header contributes to conditionals, in our own words.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__
#define CUDA_VERSION 13000
#define CUDAAPI
#define CUDA_CB
#endif
