// The argument is an unscoped enumerator whose initializer stands under a conditional.
enum {
    BLOCK =
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        256
#else
        128
#endif
};

template <int N>
__global__ void sort_block(int *data) {
    *data = N;
}

int main() {
    sort_block<BLOCK><<<1, BLOCK>>>((int *)nullptr); //~ arch-dependent-instantiation "sort_block"
    return 0;
}
