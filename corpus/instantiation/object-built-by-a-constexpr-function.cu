// The argument is a member of an object that a constexpr function builds step by step.
#ifdef __CUDA_ARCH__
constexpr int smem_limit = 227;
#else
constexpr int smem_limit = 99;
#endif

struct Tile {
    int m = 128, n = 128;
    constexpr int kilobytes() const { return (m + n) * 64 / 1024; }
};

struct Plan {
    Tile tile;
    int stages = 1;
    constexpr explicit Plan(Tile chosen) : tile(chosen) {
        while (tile.kilobytes() * (stages + 1) <= smem_limit) {
            ++stages;
        }
    }
};

constexpr Plan plan(int width) {
    Tile tile;
    tile.n *= width;
    return Plan(tile);
}

constexpr Plan wide = plan(2);

template <int Stages>
__global__ void pipeline(float *out) {
    out[threadIdx.x] = Stages;
}

void run(float *out) {
    pipeline<wide.stages><<<1, 32>>>(out); //~[host] arch-dependent-instantiation "pipeline<4>"
}
