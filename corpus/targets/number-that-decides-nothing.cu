// The number on a GPU of AMD's where it decides nothing: it is stored, handed to a function, or put under a name that
// nothing compares; and where only a GPU of NVIDIA's asks for it.
//@ targets: 86,gfx1100
__device__ void log(int what, int number);

__global__ void report(int *out) {
#ifdef __CUDA_ARCH__
    *out = __CUDA_ARCH__;
    out[1] = __CUDA_ARCH__ / 10;
    log(1, __CUDA_ARCH__);
    const int number = __CUDA_ARCH__;
    out[2] = number;
#endif
}

#ifndef __REDSCALE__
#if __CUDA_ARCH__ >= 800
#define ASYNCHRONOUS 1
#endif
#endif

__global__ void copy(int *out) {
#if defined(__CUDA_ARCH__) && !defined(__AMDGCN__)
    if (__CUDA_ARCH__ >= 800)
        *out = 1;
#if __CUDA_ARCH__ >= 900
    *out = 2;
#endif
#endif
}
