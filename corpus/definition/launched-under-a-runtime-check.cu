// The launch is reached on new GPUs only, but every pass parses it, and sm_80's has no such kernel.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void cluster_sum(int *out) { //~ arch-dependent-definition "cluster_sum"
    *out = 1;
}
#endif

int main(int count, char **) {
    if (count > 90) cluster_sum<<<1, 1>>>((int *)nullptr);
    return 0;
}
