// A class declared in the kernel's body, with another layout in another arm.
__global__ void histogram(const unsigned char *in, unsigned *out) {
#if __CUDA_ARCH__ >= 900
    struct Bin {
        unsigned long long count;
        unsigned last;
    };
#else
    struct Bin {
        unsigned count;
    };
#endif
    __shared__ Bin bins[256];
    bins[threadIdx.x].count = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x].count;
}

void run(const unsigned char *in, unsigned *out) {
    histogram<<<1, 256>>>(in, out);
}
