//@ std: c++20
// A template argument of class type: the passes pass objects of different values.
struct Tile {
    int m, n;
    constexpr Tile transposed() const { return {n, m}; }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr Tile best{128, 256};
#else
constexpr Tile best{128, 128};
#endif

template <Tile T>
__global__ void gemm(float *out) {
    out[threadIdx.x] = T.m * T.n;
}

void run(float *out) {
    gemm<best.transposed()><<<1, 32>>>(out); //~[host,sm_80] arch-dependent-instantiation "gemm<Tile{128, 128}>"
    gemm<Tile{64, 32}><<<1, 32>>>(out);
}
