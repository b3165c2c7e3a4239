// The launch stands under a guard, but every pass asks for the same kernel's occupancy before.
template <class T>
__global__ void reduce(const T *in, T *out) {
    *out = in[threadIdx.x];
}

int run(const float *in, float *out) {
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reduce<float>, 128, 0);
#if !defined(__CUDA_ARCH__)
    reduce<float><<<blocks, 128>>>(in, out);
#endif
    return blocks;
}
