// Two bit-fields in one declaration, and the second is wider on new GPUs: there the class takes eight bytes, not four.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define EXPONENT_BITS 31
#else
#define EXPONENT_BITS 5
#endif

struct Encoding { //~ arch-dependent-layout "Encoding"
    unsigned kind : 3, exponent : EXPONENT_BITS;
};

__global__ void decode(Encoding encoding, float *out) {
    *out = encoding.exponent;
}

void run(Encoding encoding, float *out) {
    decode<<<1, 1>>>(encoding, out);
}
