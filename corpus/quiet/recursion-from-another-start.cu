// A recursive launcher begins higher on new GPUs; what it adds there is also launched elsewhere in every pass.
template <int Block>
__global__ void reduce(float *data) {
    data[threadIdx.x] += Block;
}

template <int Block>
void reduce_from(float *data, int count) {
    if (count >= Block)
        reduce<Block><<<1, Block>>>(data);
    else if constexpr (Block > 32)
        reduce_from<Block / 2>(data, count);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int kLargest = 512;
#else
constexpr int kLargest = 256;
#endif

void run(float *data, int count) {
    reduce_from<kLargest>(data, count);
}

void run_large(float *data) {
    reduce<512><<<1, 512>>>(data);
}
