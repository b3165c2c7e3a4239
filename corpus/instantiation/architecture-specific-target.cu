// `sm_90` and `sm_90a` have one `__CUDA_ARCH__`; the feature macro tells them apart, and the kernel is missing
// from the plain one.
//@ targets: 90,90a
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define WGMMA_ENABLED
#endif

template <class T>
__global__ void wgmma_multiply(T *out) {
    *out = T(1);
}

void run(float *out) {
#ifdef WGMMA_ENABLED
    wgmma_multiply<<<1, 128>>>(out); //~[sm_90] arch-dependent-instantiation "wgmma_multiply"
#endif
}
