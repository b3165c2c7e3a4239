// The type of a `__device__` function is none of the types that the host and the GPUs must agree on.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
typedef double result_t;
#else
typedef float result_t;
#endif

__device__ result_t one() {
    return 1;
}

__global__ void store(int *out) {
    *out = static_cast<int>(one());
}

int main() {
    store<<<1, 1>>>((int *)nullptr);
    return 0;
}
