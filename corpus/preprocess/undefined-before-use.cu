// Macros that depend on the pass and are gone, or the same again, where their names are used as names.
#ifdef __CUDA_ARCH__
#define value_t double
#define store store_on_device
#endif
__device__ inline double helper(double x) { return 2 * x; }
#undef value_t
#undef store

typedef float value_t;

__global__ void store(value_t *out) {
    *out = helper(1);
}

void run(value_t *out) {
    store<<<1, 1>>>(out);
}
