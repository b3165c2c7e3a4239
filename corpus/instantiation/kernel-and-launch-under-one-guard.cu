// PyTorch's int4 kernels: kernel template and launch are hidden from sm_80. With sm_80 as the last target nothing
// is registered at all, and the program fails on sm_90 too.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <class T>
__global__ void int4_multiply(T *out) {
    *out = 1;
}
#endif

void run(int *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    int4_multiply<<<1, 1>>>(out); //~[sm_80] arch-dependent-instantiation "int4_multiply"
#endif
}

int main() {
    run(nullptr);
    return 0;
}
