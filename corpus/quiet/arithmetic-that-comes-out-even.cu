// The number depends on the macro and the result does not: 32 lanes on every GPU and on the host.
#ifdef __CUDA_ARCH__
#define GENERATION (__CUDA_ARCH__ / 100)
#else
#define GENERATION 0
#endif
#define LANES (GENERATION < 20 ? 32 : 64)

enum { kHalfWarp = LANES / 2 };

template <int Lanes, int Half>
__global__ void shuffle(float *data) {
    data[threadIdx.x % Lanes] = data[(threadIdx.x + Half) % Lanes];
}

__constant__ float weights[LANES];

void run(float *data, const float *values) {
    cudaMemcpyToSymbol(weights, values, sizeof(weights));
    shuffle<LANES, kHalfWarp><<<1, LANES>>>(data);
}
