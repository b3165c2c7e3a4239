// Both arms say the same: the author kept a place to tune.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define THREADS_PER_BLOCK 256
#else
#define THREADS_PER_BLOCK (128 * 2)
#endif

template <int Threads>
__global__ void scale(float *data) {
    data[threadIdx.x % Threads] *= 2;
}

void run(float *data) {
    scale<THREADS_PER_BLOCK><<<1, THREADS_PER_BLOCK>>>(data);
}
