// The classic: 900 and more lets sm_90 and sm_100 in, and only sm_90a has wgmma; here every target enters.
//@ targets: 90,90a,100
__device__ void fence() {
#if __CUDA_ARCH__ >= 900
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory"); //~[sm_90,sm_100] unsupported-instruction "only sm_90a has it"
#endif
}

__global__ void run() {
    fence();
}
