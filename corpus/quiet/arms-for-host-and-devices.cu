// A function that devices have in other builds: one group is the host's own, and the other is not meant for it.
#ifdef WITH_DEVICE_RUNTIME
#define RUNTIME __host__ __device__
#else
#define RUNTIME
#endif

#ifdef __CUDA_ARCH__
#define IS_HOST 0
#define HAS_DEVICE_CODE 1
#else
#define IS_HOST 1
#define HAS_DEVICE_CODE 0
#endif

RUNTIME inline int wait(cudaStream_t stream) {
    int result = 1;
    if (IS_HOST) {
#if !HAS_DEVICE_CODE
        result = cudaStreamSynchronize(stream);
#endif
    } else {
#if HAS_DEVICE_CODE
        (void)stream;
        result = 2;
#endif
    }
    return result;
}

__global__ void fill(int *out) {
    *out = 1;
}
