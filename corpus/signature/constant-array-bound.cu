// A table in constant memory has 64 elements on sm_90 and 32 on the host and sm_80: the host copies half
// of what the GPU reads. An array's bound is part of its type.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TAPS 64
#else
#define TAPS 32
#endif

__constant__ float taps[TAPS]; //~[sm_90] arch-dependent-signature "taps"

__global__ void convolve(float *out) {
    *out = taps[threadIdx.x];
}

int main() {
    float values[TAPS] = {};
    cudaMemcpyToSymbol(taps, values, sizeof(values));
    convolve<<<1, 1>>>(nullptr);
    return 0;
}
