// By the letter of C++ a constant's value can be read without a capture. nvcc captures it all the same.
template <class F>
__global__ void apply(F body, int *out) {
    out[threadIdx.x] = body(threadIdx.x);
}

void fill(int *out) {
    int start = 10;
    constexpr int kWide = 8;
    apply<<<1, 32>>>([=] __device__(int index) { //~[sm_90] arch-dependent-layout "lambda"
#if __CUDA_ARCH__ >= 900
        return start + index * kWide;
#else
        return start + index;
#endif
    }, out);
}
