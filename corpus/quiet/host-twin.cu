// ggml's twins: a device constant by architecture, and a host function that asks the GPU at run time. They have
// the same name and other parameters.
__device__ constexpr int tile_rows() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return 128;
#else
    return 64;
#endif
}

__host__ int tile_rows(int cc) {
    return cc >= 900 ? 128 : 64;
}

__global__ void multiply(int *out) {
    *out = tile_rows();
}

void run(int cc, int *out) {
    multiply<<<1, tile_rows(cc)>>>(out);
}
