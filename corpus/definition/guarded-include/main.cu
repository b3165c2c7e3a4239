// The guard stands around an `#include`, and the kernel is in the file it includes.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#include "cluster_kernels.cuh"
#endif

int main() {
    return 0;
}
