// A table in constant memory has the same type in all passes and other values on new GPUs.
__constant__ const int kTileRows[4] = {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    128, 128, 256, 256,
#else
    64, 64, 128, 128,
#endif
};

__global__ void rows(int kind, int *out) {
    *out = kTileRows[kind];
}

void run(int *out) {
    rows<<<1, 1>>>(2, out);
}
