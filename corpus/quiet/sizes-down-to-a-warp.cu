// A recursion over block sizes, unguarded, beside a constant that differs and has nothing to do with it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kPrefetch = 4;
#else
constexpr int kPrefetch = 2;
#endif

template <int Block>
__global__ void reduce(const float *in, float *out) {
    *out = in[threadIdx.x % Block] * kPrefetch;
}

template <int Block>
void sweep(int block, const float *in, float *out) {
    if (block >= Block) {
        reduce<Block><<<1, Block>>>(in, out);
    } else if constexpr (Block > 32) {
        sweep<Block / 2>(block, in, out);
    }
}

void run(int block, const float *in, float *out) {
    sweep<256>(block, in, out);
}
