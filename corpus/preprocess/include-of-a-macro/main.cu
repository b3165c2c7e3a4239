// Which file is included depends on the pass.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TUNING "tuning_hopper.cuh"
#else
#define TUNING "tuning_generic.cuh"
#endif
#include TUNING

template <int Tile>
__global__ void convolve(float *out) {
    *out = Tile;
}

void run(float *out) {
    convolve<kTile><<<1, 32>>>(out); //~[sm_90] arch-dependent-instantiation "convolve"
}
