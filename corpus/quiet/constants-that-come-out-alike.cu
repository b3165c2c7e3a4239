//@ std: c++20
// Parts of these constants differ between the passes; what the kernels are instantiated with does not.
#ifdef __CUDA_ARCH__
constexpr float share = 0.8f;
constexpr int limit = 227;
#else
constexpr float share = 0.75f;
constexpr int limit = 163;
#endif

struct Tile {
    int m, n;
};

struct Plan {
    Tile tile;
    int limit;
};

constexpr Plan plan(int n) {
    Plan made{{n, n}, limit};
    while (made.tile.m * made.tile.n > made.limit) {
        made.tile.m /= 2;
    }
    return made;
}

constexpr int bits(unsigned n) {
    int count = 0;
    for (; n; n &= n - 1) {
        ++count;
    }
    return count;
}

template <Tile T>
__global__ void gemm(float *out) {
    out[threadIdx.x] = T.m * T.n;
}

template <int N>
__global__ void fill(float *out) {
    out[threadIdx.x] = N;
}

void run(float *out) {
    gemm<plan(16).tile><<<1, 32>>>(out);
    fill<int(share * 4)><<<1, 32>>>(out);
    fill<bits(limit) / 4><<<1, 32>>>(out);
}
