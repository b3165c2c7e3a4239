// The macro stands in an `#elif` that no pass evaluates, behind one that all meet, and in operands that cannot change
// what `||` and `&&` give.
#define USE_FAST_PATH 1

#if USE_FAST_PATH
typedef float value_t;
#elif __CUDA_ARCH__ >= 900
typedef double value_t;
#else
typedef int value_t;
#endif

#if USE_FAST_PATH || __CUDA_ARCH__ >= 900
#define LANES 4
#else
#define LANES 2
#endif

#if !USE_FAST_PATH && defined(__CUDA_ARCH__)
__device__ int counter;
#endif

template <int Lanes>
__global__ void store(value_t *out) {
    out[threadIdx.x % Lanes] = 1;
}

void run(value_t *out) {
    store<LANES><<<1, 32>>>(out);
}
