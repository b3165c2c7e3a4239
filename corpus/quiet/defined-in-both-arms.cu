// Either arm defines all that the other does, in other words: a variable with and without an initializer, a kernel
// with other parameter names, a kernel template with other parameter names.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ float threshold = 0.5f;

__global__ void clip(float *data, int count) {
    if (threadIdx.x < count) data[threadIdx.x] = threshold;
}

template <class Element, int Rows>
__global__ void pad(Element *data) {
    data[Rows] = Element(0);
}
#else
__device__ float threshold;

__global__ void clip(float *values, int) {
    values[0] = threshold;
}

template <typename T, int N>
__global__ void pad(T *values) {
    values[N] = T(1);
}
#endif

void run(float *data) {
    float half = 0.5f;
    cudaMemcpyToSymbol(threshold, &half, sizeof(half));
    clip<<<1, 32>>>(data, 32);
    pad<float, 4><<<1, 1>>>(data);
}
