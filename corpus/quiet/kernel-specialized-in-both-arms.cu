// An explicit specialization of a kernel in both arms, and another that every pass has: their bodies differ, not their
// names.
template <class T>
__global__ void scale(T *data, T factor) {
    data[threadIdx.x] *= factor;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
template <>
__global__ void scale<float>(float *data, float factor) {
    data[threadIdx.x] = __fmul_rn(data[threadIdx.x], factor);
}
#else
template <>
__global__ void scale(float *data, float factor) {
    data[threadIdx.x] = factor * data[threadIdx.x];
}
#endif

template <>
__global__ void scale<int>(int *data, int factor) {
    data[threadIdx.x] <<= factor;
}

void run(float *data, double *wide) {
    scale<float><<<1, 32>>>(data, 2.0f);
    scale<<<1, 32>>>(wide, 2.0);
}
