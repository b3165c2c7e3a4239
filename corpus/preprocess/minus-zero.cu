// `__CUDA_ARCH__-0` is a guard too: -0, and so false, where the macro is not defined.
#if __CUDA_ARCH__-0 >= 900
#define LIMBS 8
#else
#define LIMBS 4
#endif

template <int N>
__global__ void multiply(unsigned *out) {
    *out = N;
}

void run(unsigned *out) {
    multiply<LIMBS><<<1, 1>>>(out); //~[sm_90] arch-dependent-instantiation "multiply"
}
