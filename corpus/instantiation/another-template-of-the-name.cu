// Two overloads of a kernel template, one of them for new GPUs. A pointer fits both and prefers the second, which sm_80
// lacks: there the launch means the first.
template <class T>
__global__ void reset(T value) {
    (void)value;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <class T>
__global__ void reset(T *data) {
    *data = T(0);
}
#endif

void run(float *data) {
    reset<<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "reset<float>"
}
