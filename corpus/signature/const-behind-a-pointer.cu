// A `const` that a pointer points to is part of the kernel's type; one GPU's kernel has it, the others' not.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define READ_ONLY const
#else
#define READ_ONLY
#endif

__global__ void gather(READ_ONLY int *table, int *out) { //~ arch-dependent-signature "gather"
    *out = table[threadIdx.x];
}

int main() {
    gather<<<1, 1>>>(nullptr, nullptr);
    return 0;
}
