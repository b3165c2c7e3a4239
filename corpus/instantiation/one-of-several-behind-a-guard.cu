// One instantiation is for new GPUs, the other for all: a guard in the kernel's body would take the code of the other from
// sm_75.
//@ targets: 75,80
template <class T>
__global__ void scale(T *out, T by) {
    out[threadIdx.x] *= by;
}

void run(float *singles, double *doubles) {
    scale<<<1, 32>>>(singles, 2.0f);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    scale<<<1, 32>>>(doubles, 2.0); //~[sm_75] arch-dependent-instantiation "scale<double>"
#endif
}
