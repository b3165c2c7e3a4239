// nvcc's own macros, defined and undefined by the source. The host takes itself for a GPU then.
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 800 //~ misspelt-arch-macro "only nvcc can say what `__CUDA_ARCH__` is"
#endif

__global__ void one(int *out) {
#if __CUDA_ARCH__ >= 900
    *out = 1;
#else
    *out = 2;
#endif
}

#undef __CUDA_ARCH_LIST__ //~ misspelt-arch-macro "`#undef __CUDA_ARCH_LIST__`"
#define __CUDACC_EXTENDED_LAMBDA__ 1 //~ misspelt-arch-macro "`#define __CUDACC_EXTENDED_LAMBDA__ 1`"
