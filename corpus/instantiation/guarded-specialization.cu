// An explicit specialization of a kernel is a kernel, used or not: sm_80 lacks the one for `float`, and the host has it.
template <class T>
__global__ void square(T *data) {
    data[threadIdx.x] *= data[threadIdx.x];
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <>
__global__ void square<float>(float *data) { //~ arch-dependent-instantiation "square<float>"
    data[threadIdx.x] = __fmul_rn(data[threadIdx.x], data[threadIdx.x]);
}
#endif

void run(double *data) {
    square<<<1, 32>>>(data);
}
