// The same with the targets in the order in which nothing is registered.
//@ targets: 90,80
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
