// The macro differs by pass when the first kernel is declared and no longer when the second one is.
#ifdef __CUDA_ARCH__
#define VALUE double
#else
#define VALUE float
#endif

__global__ void first(VALUE value) {} //~ arch-dependent-signature "first"

#undef VALUE
#define VALUE float

__global__ void second(VALUE value) {}

void run() {
    first<<<1, 1>>>(1);
    second<<<1, 1>>>(1);
}
