// The same alignment three ways: as an attribute, as a specifier, and as what the members need anyway.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define ALIGNED_16 alignas(16)
#else
#define ALIGNED_16 __attribute__((aligned(16)))
#endif

#ifdef __CUDA_ARCH__
#define ALIGNED_4 alignas(4)
#else
#define ALIGNED_4
#endif

struct ALIGNED_16 Quad {
    float of[4];
};

struct ALIGNED_4 Pair {
    float first, second;
};

__global__ void add(Quad quad, Pair pair, float *out) {
    *out = quad.of[3] + pair.second;
}

void run(Quad quad, Pair pair, float *out) {
    add<<<1, 1>>>(quad, pair, out);
}
