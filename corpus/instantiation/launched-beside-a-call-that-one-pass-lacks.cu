// A launch for new GPUs, behind a call of a function that older ones do not declare. nvcc reads the bodies of host functions
// in every pass: without the guard sm_80 would not compile, so a fix that takes it away is only suggested.
template <class T>
__global__ void scale(T *out) {
    *out *= 2;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
void prepare(float *out) {
    *out = 1;
}
#endif

void run(float *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    prepare(out);
    scale<float><<<1, 1>>>(out); //~[host,sm_90] arch-dependent-instantiation "scale<float>"
#endif
}
