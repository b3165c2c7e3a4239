// A kernel template in an inline namespace that only device passes name so. That the instantiation has another name
// too only follows: one finding.
#ifdef __CUDA_ARCH__
#define LINKAGE_TAG gpu
#else
#define LINKAGE_TAG cpu
#endif

namespace linalg {
inline namespace LINKAGE_TAG {
template <class T>
__global__ void axpy(T a, const T *x, T *y) { //~[host] arch-dependent-signature "axpy"
    y[threadIdx.x] += a * x[threadIdx.x];
}
}
}

void run(const float *x, float *y) {
    linalg::axpy<<<1, 32>>>(2.0f, x, y);
}
