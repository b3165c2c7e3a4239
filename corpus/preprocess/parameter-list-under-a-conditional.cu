// Directives inside the parameter list: the fourth parameter has two spellings and two types.
//@ targets: 75,80
__global__ void quantize(const float *in, //~[sm_80] arch-dependent-signature "quantize"
                         signed char *out,
                         int count,
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
                         double scale
#else
                         float scale
#endif
) {
    if (threadIdx.x < count) out[threadIdx.x] = in[threadIdx.x] * scale;
}

void run(const float *in, signed char *out, int count) {
    quantize<<<1, 32>>>(in, out, count, 1.0f);
}
