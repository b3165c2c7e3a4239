// With separate compilation: each arm defines the same functions, one for C; declarations and class members are only
// declared in one of them.
//@ rdc
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ int first_active(unsigned mask) { return __ffs(mask) - 1; }
extern "C" __device__ int lane_of(int thread) { return thread & 31; }
extern __device__ int elsewhere(int);
struct Votes {
    unsigned mask;
    __device__ bool any() const;
};
#else
__device__ int first_active(unsigned bits) {
    for (int lane = 0; lane < 32; ++lane)
        if (bits >> lane & 1) return lane;
    return -1;
}
extern "C" __device__ int lane_of(int index) { return index % 32; }
#endif

__global__ void elect(unsigned mask, int *out) {
    *out = lane_of(threadIdx.x) == first_active(mask);
}

void run(int *out) {
    elect<<<1, 32>>>(0xff00u, out);
}
