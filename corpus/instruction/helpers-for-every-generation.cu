// Helpers that nobody calls, and templates that nobody instantiates, become no code: ptxas never sees them.
//@ targets: 75,80
__device__ __forceinline__ void wait_for_copies() {
    asm volatile("cp.async.wait_all;");
}

__device__ __forceinline__ void elect() {
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; }");
}

template <int N>
__global__ void newer() {
    asm volatile("griddepcontrol.wait;");
}

__global__ void run() {
#if __CUDA_ARCH__ >= 800
    wait_for_copies();
#endif
}
