// Names that nothing defines: with an underscore less, of two macros mixed, of a feature; also in a macro that a condition
// expands. Every pass takes them for 0.
#define IS_NEW (__CUDACC_ARCH__ >= 900) //~ misspelt-arch-macro "`__CUDACC_ARCH__` is defined nowhere"

__global__ void one(int *out) {
#if defined(__CUDA_ARCH) && __CUDA_ARCH >= 900 //~ misspelt-arch-macro "`__CUDA_ARCH` is defined nowhere"
    *out = 1;               //~^ misspelt-arch-macro "`__CUDA_ARCH` is defined nowhere"
#elif IS_NEW
    *out = 2;
#endif
#ifdef __CUDA_ARCH_FEAT_SM90A_ALL //~ misspelt-arch-macro "`__CUDA_ARCH_FEAT_SM90_ALL` is the macro"
    *out = 3;
#endif
}

#ifdef __CUDACC //~ misspelt-arch-macro "`__CUDACC__` is the macro"
__device__ int two() {
    return 2;
}
#endif

// It may be the build's, of which nothing is known here.
__global__ void three(int *out) {
#if CUDA_ARCH >= 900 //~ misspelt-arch-macro "`CUDA_ARCH` is defined nowhere"
    *out = 4;
#endif
}
