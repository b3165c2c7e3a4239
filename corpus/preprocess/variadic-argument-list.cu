// The arguments of the kernel template come through `__VA_ARGS__` behind an `__VA_OPT__`.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define EXTRA_ARGUMENTS 4
#else
#define EXTRA_ARGUMENTS 2
#endif
#define LAUNCH(kernel, first, ...) kernel<first __VA_OPT__(, ) __VA_ARGS__><<<1, 1>>>

template <int Rows, int Columns>
__global__ void tile(int *out) {
    *out = Rows * Columns;
}

void run(int *out) {
    LAUNCH(tile, 8, EXTRA_ARGUMENTS)(out); //~ arch-dependent-instantiation "tile"
}
