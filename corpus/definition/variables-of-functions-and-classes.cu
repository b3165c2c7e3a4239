// In separate compilation: local statics, static members and constants that only some passes have are not definitions of
// the namespace, and what is declared `extern` under a guard is defined for all.
//@ rdc
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
extern __device__ int total;
extern __device__ float scaled(float value);
static constexpr int kHopperRows = 64;
#endif

struct Config {
#ifdef __CUDA_ARCH__
    static constexpr int kRows = 4;
#endif
    int rows;
};

__device__ int total;

__device__ float scaled(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static __device__ int calls;
    ++calls;
    return value * kHopperRows;
#else
    return value;
#endif
}

__global__ void sum(Config config, float *data) {
    data[0] = scaled(data[config.rows]) + total;
}

void run(Config config, float *data) {
    sum<<<1, 1>>>(config, data);
}
