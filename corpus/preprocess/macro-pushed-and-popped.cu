// The pass's own definition is popped again before anything uses it.
#define WIDTH 4

#pragma push_macro("WIDTH")
#undef WIDTH
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WIDTH 8
#endif
#pragma pop_macro("WIDTH")

template <int Width>
__global__ void pack(float *data) {
    data[threadIdx.x] += Width;
}

void run(float *data) {
    pack<WIDTH><<<1, 32>>>(data);
}
