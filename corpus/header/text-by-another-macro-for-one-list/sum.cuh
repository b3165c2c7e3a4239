// Both objects take the same target for every GPU, so `__CUDA_ARCH__` has the same value in both copies. They differ by a
// macro of the build.
//@ nvcc: disagrees because the copies differ, for a reason that the guide's restrictions on `__CUDA_ARCH__` say nothing of
#pragma once

template <class T>
__device__ T block_sum(T value) {
#if __CUDA_ARCH__ >= 900
    value += 1;
#endif
    return value * BLOCK;
}
