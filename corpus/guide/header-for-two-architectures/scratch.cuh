// The guide's fourth restriction: one object is compiled for sm_80 and one for sm_90, and each holds its
// own idea of `scratch<int>`. The device linker keeps one of the two.
#pragma once

template <typename T>
__device__ T *scratch() { //~ arch-dependent-header "scratch"
#if __CUDA_ARCH__ == 800
    return nullptr;
#else
    __shared__ T buffer[256];
    return buffer;
#endif
}
