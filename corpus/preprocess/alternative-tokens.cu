// `and`, `or` and `not` are operators in a C++ condition.
#if not defined(__CUDA_ARCH__) or __CUDA_ARCH__ >= 900 and __CUDA_ARCH__ < 1000
#define HOPPER_OR_HOST
#endif

template <class T>
__global__ void dispatch(T *out) {
    *out = T(1);
}

void run(int *out) {
#ifdef HOPPER_OR_HOST
    dispatch<<<1, 1>>>(out); //~[sm_80] arch-dependent-instantiation "dispatch"
#endif
}
