// The header's `extern template` and the definition below, the latter under a guard that all passes enter.
//@ targets: 80,90
template <class T>
__global__ void scale(T *data, T factor) {
    data[threadIdx.x] *= factor;
}

extern template __global__ void scale<float>(float *, float);

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template __global__ void scale<float>(float *, float);
#endif

void run(float *data) {
    scale<<<1, 32>>>(data, 2.0f);
}
