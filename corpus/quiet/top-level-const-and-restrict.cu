// `const` on the parameter itself and `__restrict__` are no part of a kernel's type.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define RESTRICT __restrict__
#define MAYBE_CONST const
#else
#define RESTRICT
#define MAYBE_CONST
#endif

__global__ void gather(const int *RESTRICT in, MAYBE_CONST int count, int *RESTRICT out) {
    *out = *in + count;
}

int main() {
    gather<<<1, 1>>>(nullptr, 1, nullptr);
    return 0;
}
