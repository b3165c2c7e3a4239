// Some targets stop at an `#error`: in the body of a kernel, and at one behind a macro that depends on the pass.
//@ targets: 75,80,90
//@ nvcc: disagrees because it stops at the first of the two `#error`s
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HAS_CLUSTERS
#endif

__global__ void copy(int *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "asynchronous copies need sm_80" //~[sm_75] pass-only-failure "stops the compilation for sm_75"
#endif
    *out = 1;
}

#ifdef HAS_CLUSTERS
#error no clusters here //~[sm_90] pass-only-failure "`#error no clusters here`"
#endif
