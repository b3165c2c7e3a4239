// The architecture as a template argument, in device code: each pass has its own specialization of a device function,
// all called from the same kernel.
template <int Arch>
struct Copy {
    static __device__ void run(const int *in, int *out) { *out = *in; }
};

template <>
struct Copy<900> {
    static __device__ void run(const int *in, int *out) { *out = in[threadIdx.x & 0]; }
};

__global__ void copy(const int *in, int *out) {
#ifdef __CUDA_ARCH__
    Copy<__CUDA_ARCH__>::run(in, out);
#endif
}

void run(const int *in, int *out) {
    copy<<<1, 1>>>(in, out);
}
