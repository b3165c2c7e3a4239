// What only devices have, where only devices call it: behind `__CUDA_ARCH__`, in functions, lambdas and classes of theirs, in a
// template that nothing instantiates for the host, and under a name of the project's own.
#ifdef __CUDACC__
namespace own {
inline int __popcll(unsigned long long value) {
    return value != 0;
}
}

__device__ inline int lane() {
#ifdef __CUDACC__
    __syncwarp();
#endif
    return 1;
}
#endif

__host__ __device__ inline int count(unsigned value) {
#ifdef __CUDACC__
#ifdef __CUDA_ARCH__
    return __popc(value);
#else
    return own::__popcll(value);
#endif
#else
    return value;
#endif
}

template <class T>
__host__ __device__ T shifted(T value) {
#ifdef __CUDACC__
    return __shfl_sync(~0u, value, 1);
#else
    return value;
#endif
}

template <class F>
__global__ void each(int *out, F body) {
    body(out);
}

void run(int *out) {
#ifdef __CUDACC__
    each<<<1, 1>>>(out, [] __device__(int *slot) {
        __syncthreads();
        *slot = lane() + count(3) + shifted(2);
    });
#endif
}
