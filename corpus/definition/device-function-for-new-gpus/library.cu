// With separate compilation another object may call the function on any GPU; for sm_80 the device linker
// finds no definition.
//@ rdc
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ int next_power(int x) { //~[sm_80] arch-dependent-definition "next_power"
    return 2 * x;
}
#endif
