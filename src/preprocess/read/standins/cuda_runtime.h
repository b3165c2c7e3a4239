// What the CUDA runtime's headers contribute to conditionals and types, in our own words.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __HOST_DEFINES_H__

#ifdef __CUDACC_VER_MAJOR__
#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#else
#define CUDART_VERSION 13000
#endif
#define __CUDART_API_VERSION CUDART_VERSION
#define CUDARTAPI
#define CUDART_CB
#define __device_builtin__
#define __cudart_builtin__

// The words are macros in the real headers too, and code asks whether they are defined.
#define __global__ __global__
#define __device__ __device__
#define __host__ __host__
#define __constant__ __constant__
#define __shared__ __shared__
#define __managed__ __managed__
#define __grid_constant__ __grid_constant__
#define __forceinline__ __forceinline__
#define __noinline__ __noinline__
#define __launch_bounds__(...) __launch_bounds__(__VA_ARGS__)
#define __cluster_dims__(...) __cluster_dims__(__VA_ARGS__)
#define __align__(n) __align__(n)

// Handles: templates of libraries are given them, and kernels have them as parameters.
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cudaArray *cudaArray_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

// The real header has this one in every unit, and code relies on it.
#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include <utility>
#endif

#endif
