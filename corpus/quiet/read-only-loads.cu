// A macro for loads through the read-only cache, where there is one.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define LOAD(pointer) __ldg(pointer)
#else
#define LOAD(pointer) (*(pointer))
#endif

template <class T>
__device__ __forceinline__ T neighbour(const T *data, int index) {
    return LOAD(data + index + 1);
}

template <class T>
__global__ void difference(const T *in, T *out) {
    int index = threadIdx.x;
    out[index] = neighbour(in, index) - LOAD(in + index);
}

void run(const float *in, float *out) {
    difference<<<1, 31>>>(in, out);
}
