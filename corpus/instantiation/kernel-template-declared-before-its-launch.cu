// The definition comes after the launch, and that is a definition all the same.
//@ targets: 80,90
template <class T>
__global__ void fill(T *to);

void run(float *data) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    fill<float><<<1, 1>>>(data); //~ arch-dependent-instantiation "fill<float>"
#endif
}

template <class T>
__global__ void fill(T *to) {
    *to = T(1);
}
