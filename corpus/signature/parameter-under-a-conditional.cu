// One parameter exists for sm_90 only. Nothing in this unit launches the kernel, so nvcc sees no error.
__global__ void prefetch(int *data //~ arch-dependent-signature "prefetch"
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
                         , int distance
#endif
) {
    *data = 1;
}
