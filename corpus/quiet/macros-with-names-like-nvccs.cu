// Names like nvcc's that are somebody's: the project defines them, or would in a build that is not this one; guards of
// headers; macros of other compilers and of the toolkit's headers; conditions that no pass reads.
//@ define: CUDA_ARCH=900
#ifdef BUILD_FOR_TESTS
#define __CUDA_ARCH 900
#endif

#ifndef __CUDA_ARCH_H__
#define __CUDA_ARCH_H__
#endif

__global__ void one(int *out) {
#if CUDA_ARCH >= 800
    *out = 1;
#endif
#if defined(__CUDA_ARCH) && __CUDA_ARCH >= 900
    *out = 2;
#endif
#if defined(__CUDA__) || defined(__NVCOMPILER_CUDA_ARCH__) || defined(__HIP_ARCH__)
    *out = 3;
#endif
#if defined(__CUDACC_VER__) || defined(__CUDA_ARCH_HAS_FEATURE__) || defined(NVCC) || defined(CUDACC)
    *out = 4;
#endif
#ifdef _MSC_VER
#if _CUDA_ARCH__ >= 900
    *out = 5;
#endif
#define __CUDACC__
#endif
}
