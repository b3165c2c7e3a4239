// The extension is for one chip, and says so in its setup.py. That is no matter of passes.
__global__ void run() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
