// Directives between the template head and the declarator, which only choose launch bounds: one type everywhere.
template <int Threads>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__global__ void __launch_bounds__(Threads, 2)
#else
__global__ void __launch_bounds__(Threads)
#endif
route(const float *scores, int *expert) {
    *expert = scores[threadIdx.x] > 0;
}

void run(const float *scores, int *expert) {
    route<128><<<1, 128>>>(scores, expert);
}
