// Only sm_90a defines the macro, so only it reaches wgmma.
//@ targets: 80,90,90a,100a
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAS_WGMMA 1
#endif

__global__ void run() {
#ifdef HAS_WGMMA
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
#endif
}
