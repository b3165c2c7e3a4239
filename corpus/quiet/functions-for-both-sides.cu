// Functions for both sides with an arm for each, one of them a constant expression; kernels are called with what they
// return and are not named by it.
__host__ __device__ inline int population(unsigned word) {
#ifdef __CUDA_ARCH__
    return __popc(word);
#else
    return __builtin_popcount(word);
#endif
}

__host__ __device__ constexpr int warp_size() {
#if defined(__CUDA_ARCH__)
    return 32;
#else
    return 64 / 2;
#endif
}

template <int Width>
__global__ void count(const unsigned *in, int *out) {
    out[threadIdx.x % Width] = population(in[threadIdx.x]);
}

int run(const unsigned *in, int *out) {
    count<warp_size()><<<1, population(0xffffu)>>>(in, out);
    return population(7);
}
