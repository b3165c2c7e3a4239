// Every target that reaches a call has the function.
//@ targets: 75,80,90
__global__ void run(unsigned *out) {
#if __CUDA_ARCH__ >= 900
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
#elif __CUDA_ARCH__ >= 800
    *out = __reduce_max_sync(~0u, *out);
#else
    __nanosleep(10);
#endif
}
