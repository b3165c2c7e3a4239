// A kernel and its stub for old GPUs began alike. Then the kernel got a `long long` stride and the stub was
// forgotten, so sm_75 and the host, which takes the stub, agree with each other and with nobody else.
//@ targets: 75,80
#if __CUDA_ARCH__ < 800
__global__ void transpose_tile(const float *in, float *out, int stride) {} //~[sm_80] arch-dependent-signature "transpose_tile"
#else
__global__ void transpose_tile(const float *in, float *out, long long stride) {
    out[threadIdx.x * stride] = in[threadIdx.x];
}
#endif

void transpose(const float *in, float *out, int stride) {
    transpose_tile<<<1, 32>>>(in, out, stride);
}
