// A header of others is read as a host compiler would: the macros are pushed before and popped behind it.
#ifdef __NVCC__
#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("__CUDACC__")
#undef __CUDA_ARCH__
#undef __CUDACC__
#define PUSHED
#endif

inline int plain() {
    return 1;
}

#ifdef PUSHED
#pragma pop_macro("__CUDACC__")
#pragma pop_macro("__CUDA_ARCH__")
#endif

__global__ void fill(int *out) {
    *out = 1;
}
