// Chevrons in one arm, the runtime's functions in the other: the kernel and its arguments are one.
template <class T, bool Fused>
__global__ void update(T *weights, T rate) {
    weights[threadIdx.x] -= rate;
}

void run(float *weights, float rate, cudaStream_t stream) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    void *arguments[] = {&weights, &rate};
    cudaLaunchKernel(reinterpret_cast<const void *>(&update<float, !false>), dim3(1), dim3(32), arguments, 0, stream);
#elif defined(__CUDA_ARCH__)
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 32;
    config.stream = stream;
    cudaLaunchKernelEx(&config, update<float, true>, weights, rate);
#else
    update<float, true><<<1, 32, 0, stream>>>(weights, rate);
#endif
}
