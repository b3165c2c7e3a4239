// The parameter block itself is the same in all passes; a class two members down is not, and that one is to
// be changed.
struct Swizzle { //~ arch-dependent-layout "Swizzle"
    int bits;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    int shift;
#endif
};

struct TileShape {
    Swizzle swizzle;
    int rows;
};

struct GemmParams {
    TileShape tile;
    int depth;
};

__global__ void gemm(GemmParams params, int *out) {
    *out = params.depth;
}

int main() {
    gemm<<<1, 1>>>(GemmParams{}, nullptr);
    return 0;
}
