// A member function defined in its class is inline; each object has one, and they differ.
#pragma once

struct Pool { //~ arch-dependent-header "Pool"
    int *slots;
    __device__ int take(int index) {
#if __CUDA_ARCH__ >= 900
        return slots[index] * 2;
#else
        return slots[index];
#endif
    }
};
