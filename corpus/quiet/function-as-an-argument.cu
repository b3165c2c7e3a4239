// The template argument is the address of a function, reached through other names in other passes.
__device__ float twice(float value) {
    return 2 * value;
}

namespace ops {
using ::twice;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define OPERATION &ops::twice
#else
#define OPERATION twice
#endif

template <float (*Operation)(float)>
__global__ void apply(float *data) {
    data[threadIdx.x] = Operation(data[threadIdx.x]);
}

void run(float *data) {
    apply<OPERATION><<<1, 32>>>(data);
}
