// What asks for HIP's headers is not compiled by nvcc, and AMD's compiler defines no macro of CUDA's.
//@ nvcc: disagrees because it has no headers of HIP
#include <hip/hip_runtime.h>
#define __CUDA_ARCH__ 1300

__global__ void fill(int *out) {
#if __CUDA_ARCH__ >= 900
    *out = 1;
#endif
}
