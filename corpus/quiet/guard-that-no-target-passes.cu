// What only older GPUs or newer ones would see, nobody sees here.
//@ targets: 80,90
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
typedef float accumulate_t;
__global__ void legacy(int *out) { *out = 0; }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
typedef double accumulate_t;
__device__ int tensor_memory[64];
#else
typedef double accumulate_t;
#endif

__global__ void norm(const accumulate_t *in, accumulate_t *out) {
    *out = in[0] * in[0];
}

void run(const accumulate_t *in, accumulate_t *out) {
    norm<<<1, 1>>>(in, out);
}
