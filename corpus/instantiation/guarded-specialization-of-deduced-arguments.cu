// The arguments of the specialization follow from its parameters, and sm_80 lacks it although it launches the template
// with others.
template <class T, int Step = 1>
__global__ void shift(T *data, int count) {
    data[threadIdx.x] = data[(threadIdx.x + Step) % count];
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <>
__global__ void shift(unsigned char *data, int count) { //~[host,sm_90] arch-dependent-instantiation "shift<unsigned char, 1>"
    data[threadIdx.x] = data[(threadIdx.x + 1) & (count - 1)];
}
#endif

void run(float *data, int count) {
    shift<<<1, 32>>>(data, count);
}
