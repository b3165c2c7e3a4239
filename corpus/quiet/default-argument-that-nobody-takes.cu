// The default template argument differs, and every launch says what it wants.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define DEFAULT_TILE 256
#else
#define DEFAULT_TILE 64
#endif

template <class T, int Tile = DEFAULT_TILE>
__global__ void transpose(const T *in, T *out) {
    out[threadIdx.x % Tile] = in[threadIdx.x];
}

void run(const float *in, float *out) {
    transpose<float, 32><<<1, 32>>>(in, out);
    transpose<float, 128><<<1, 128>>>(in, out);
}
