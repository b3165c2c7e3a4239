// One of three arms forgot the kernel: sm_80 takes the `#elif` and gets the declaration only.
//@ targets: 75,80,90
__global__ void pack(int *out);

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__global__ void pack(int *out) { //~[sm_80] arch-dependent-definition "pack"
    *out = 90;
}
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#else
__global__ void pack(int *out) {
    *out = 75;
}
#endif
