// A kernel template that comes and goes defines nothing by itself; nor does a class template with a launcher.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <class T>
__global__ void tma_load(const T *in, T *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

template <class T>
struct Loader {
    void run(const T *in, T *out) { tma_load<<<1, 32>>>(in, out); }
};
#endif

template <class T>
__global__ void load(const T *in, T *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

void run(const float *in, float *out) {
    load<<<1, 32>>>(in, out);
}
