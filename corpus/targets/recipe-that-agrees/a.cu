// PTX for sm_80 runs on all that the recipe lets in; that sm_90 has code of its own does not narrow it. The highest
// target is sm_90a, of which later GPUs run nothing.
__global__ void run() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
