// The same by address, after an attribute call that mentions the kernel first.
template <int Stages>
__global__ void attention(int *out) {
    *out = Stages;
}

void run(int *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    auto *kernel = &attention<3>; //~[sm_80] arch-dependent-instantiation "attention"
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
    void *arguments[] = {&out};
    cudaLaunchKernel((const void *)kernel, dim3(1), dim3(128), arguments, 98304, nullptr);
#endif
}
