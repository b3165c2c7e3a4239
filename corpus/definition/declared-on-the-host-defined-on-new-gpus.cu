// The host declares the kernel and the newest GPU alone defines it: registered from sm_90 it is missing on sm_80, and
// with the targets in the other order the linker looks for it in vain.
__global__ void fill(float value, float *out);

#if __CUDA_ARCH__ >= 900
__global__ void fill(float value, float *out) { //~[host,sm_80] arch-dependent-definition "fill"
    out[threadIdx.x] = value;
}
#endif

void run(float *out) {
    fill<<<1, 32>>>(0.5f, out);
}
