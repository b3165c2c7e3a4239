// The other group of a comparison serves what is older than sm_90 and has the first instruction, not sm_75, for which
// the template is never instantiated.
//@ targets: 75,80,90
template <int Width>
__device__ unsigned scale(unsigned pair, unsigned factor) {
#if __CUDA_ARCH__ >= 900
    asm("mul.rn.bf16x2 %0, %1, %2;" : "=r"(pair) : "r"(pair), "r"(factor));
#else
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(pair) : "r"(pair), "r"(factor), "r"(0));
#endif
    return pair * Width;
}

__global__ void run(unsigned *out) {
#if __CUDA_ARCH__ >= 800
    *out = scale<2>(*out, 3);
#else
    *out *= 2;
#endif
}

void launch(unsigned *out) {
    run<<<1, 1>>>(out);
}
