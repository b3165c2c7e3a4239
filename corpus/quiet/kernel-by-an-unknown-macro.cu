// A macro whose header is missing makes the function a kernel: a lambda in it is an ordinary one, whoever has it.
//@ nvcc: disagrees because it needs the header that is missing
#include "not_here.h"

template <class T>
__launch_bounds__(256, 2) PROJECT_KERNEL nearest(T *out, T value) {
#if __CUDA_ARCH__ < 800
    auto finish = [value] __device__(T x) { return x + value; };
    out[threadIdx.x] = finish(out[threadIdx.x]);
#endif
}
