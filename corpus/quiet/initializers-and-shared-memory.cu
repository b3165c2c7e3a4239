// Initial values and the sizes of shared arrays are not types of anything that crosses between passes.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define SEED 9
#else
#define SEED 8
#endif

__device__ int seed = SEED;

__global__ void mix(int *out) {
    __shared__ int buffer[SEED * 32];
    buffer[threadIdx.x] = seed;
    *out = buffer[0];
}

int main() {
    mix<<<1, 32>>>(nullptr);
    return 0;
}
