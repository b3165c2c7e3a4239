// A static kernel is registered like any other.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
static __global__ void cluster_sum(int *out) { //~[sm_80] arch-dependent-definition "cluster_sum"
    *out = 1;
}
#endif

void sum(int *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cluster_sum<<<1, 1>>>(out);
#endif
}
