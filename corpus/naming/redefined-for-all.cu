// The source takes the macro over. From there on it is the same for the host and for every GPU, and nothing differs.
#undef __CUDA_ARCH__ //~ misspelt-arch-macro "`#undef __CUDA_ARCH__`"
#define __CUDA_ARCH__ 700 //~ misspelt-arch-macro "`#define __CUDA_ARCH__ 700`"

#if __CUDA_ARCH__ >= 900
typedef double value_t;
#else
typedef float value_t;
#endif

__global__ void store(value_t value, value_t *out) {
    *out = value + __CUDA_ARCH__;
}

void run(value_t *out) {
    store<<<1, 1>>>(1.0f, out);
}
