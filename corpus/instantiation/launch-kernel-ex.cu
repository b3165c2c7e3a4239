// No `<<<`: `cudaLaunchKernelEx` mentions the kernel, and the mention instantiates it on the host only.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

void reset(int *data) {
#ifndef __CUDA_ARCH__
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 1;
    cudaLaunchKernelEx(&config, clear<int>, data); //~ arch-dependent-instantiation "clear"
#endif
}

int main() {
    reset(nullptr);
    return 0;
}
