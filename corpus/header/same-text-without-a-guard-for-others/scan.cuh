// The function asks for an architecture that neither list reaches: each object holds the same version of it.
#pragma once

template <class T>
__device__ T inclusive(T value) {
#if __CUDA_ARCH__ >= 1200
    return value + T(1);
#else
    return value;
#endif
}
