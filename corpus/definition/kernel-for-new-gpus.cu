// The kernel is defined for the host and for sm_90; sm_80's fat binary lacks it, without a word.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void cluster_sum(int *out) { //~[sm_80] arch-dependent-definition "cluster_sum"
    *out = 1;
}
#endif

int main() {
    return 0;
}
