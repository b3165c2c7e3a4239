// Macros that tell compilers and releases apart have one value in all passes of a unit.
#include <cuda_runtime.h>

#if defined(__CUDACC__) && defined(__NVCC__)
typedef float value_t;
#else
typedef double value_t;
#endif

#if CUDART_VERSION >= 12000 && __CUDACC_VER_MAJOR__ >= 12
constexpr int kStages = 4;
#else
constexpr int kStages = 2;
#endif

#ifdef __CUDACC_RDC__
#define KERNEL_LINKAGE
#else
#define KERNEL_LINKAGE static
#endif

template <int Stages>
KERNEL_LINKAGE __global__ void pipeline(value_t *data) {
    data[threadIdx.x] *= Stages;
}

void run(value_t *data) {
    pipeline<kStages><<<1, 32>>>(data);
}
