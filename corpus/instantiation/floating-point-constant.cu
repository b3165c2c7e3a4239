// The argument is what a floating-point constant of the pass is truncated to.
#ifdef __CUDA_ARCH__
constexpr float occupancy = 0.75f;
#else
constexpr float occupancy = 0.5f;
#endif

constexpr float scaled(float x) { return x * 2048 / 64; }

template <int Warps>
__global__ void sweep(float *out) {
    out[threadIdx.x] = Warps;
}

void run(float *out) {
    sweep<static_cast<int>(scaled(occupancy))><<<1, 32>>>(out); //~[host] arch-dependent-instantiation "sweep<16>"
}
