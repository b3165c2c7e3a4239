// A kernel template in an inline namespace by architecture. That the instantiation has another name too only
// follows: one finding.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TUNING hopper
#else
#define TUNING generic
#endif

namespace linalg {
inline namespace TUNING {
template <class T>
__global__ void axpy(T a, const T *x, T *y) { //~[sm_90] arch-dependent-signature "axpy"
    y[threadIdx.x] += a * x[threadIdx.x];
}
}
}

void run(const float *x, float *y) {
    linalg::axpy<<<1, 32>>>(2.0f, x, y);
}
