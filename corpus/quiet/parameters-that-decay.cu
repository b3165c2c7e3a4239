// Arrays as parameters are pointers, so that these arms declare one kernel.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__global__ void apply(float data[128], const int count[1]) {
    data[threadIdx.x] = *count;
}
#else
__global__ void apply(float *data, const int *count) {
    data[threadIdx.x] = 0;
}
#endif

void run(float *data, const int *count) {
    apply<<<1, 128>>>(data, count);
}
