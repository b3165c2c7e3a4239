// The code asks for a family, and its instructions are a family's; sm_103 is left out for nothing.
__global__ void run(unsigned address) {
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
#endif
}
