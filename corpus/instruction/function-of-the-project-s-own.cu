// The project writes the function that old targets lack, under the same name: its own is there.
//@ targets: 75,80
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(mask, value, lane);
    return value;
}
#endif

__global__ void run(unsigned *out) {
#if __CUDA_ARCH__ >= 750
    *out = __reduce_add_sync(~0u, *out);
#endif
}
