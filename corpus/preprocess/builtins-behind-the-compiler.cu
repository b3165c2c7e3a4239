// Functions for the host, or for both sides, that call what only devices have where they ask for nvcc: it defines `__CUDACC__`
// in its host pass too.
__host__ __device__ inline int lane() {
#ifdef __CUDACC__
    __syncwarp(); //~[host] pass-only-failure "`__syncwarp` stops the compilation for the host"
    return 1;
#else
    return 0;
#endif
}

struct Bits {
    unsigned value;
    __host__ __device__ int count() const {
#if defined(__NVCC__)
        return __popc(value); //~ pass-only-failure "`__popc`"
#else
        return 0;
#endif
    }
};

template <class T>
__host__ __device__ T *fenced(T *out) {
#ifdef __CUDACC__
    __threadfence(); //~ pass-only-failure "`__threadfence`"
#endif
    return out;
}

int zeros(const int *in) {
#ifdef __CUDACC__
    return __clz(*in); //~ pass-only-failure "`__clz`"
#else
    return *in;
#endif
}

__global__ void fill(int *out) {
    *fenced(out) = lane();
}
