// Internal linkage is no protection: the host looks for its own name in this unit's fat binary.
#ifdef __CUDA_ARCH__
typedef double sample_t;
#else
typedef float sample_t;
#endif

static __global__ void smooth(sample_t weight) {} //~ arch-dependent-signature "smooth"

namespace {
__global__ void sharpen(sample_t weight) {} //~ arch-dependent-signature "sharpen"
}

void filter() {
    smooth<<<1, 1>>>(1);
    sharpen<<<1, 1>>>(1);
}
