// The two versions differ by macros that the units define for themselves, by a header that only one of them includes and
// by nothing that an architecture decides: neither unit would have another text for the other's target.
//@ nvcc: disagrees because the copies differ, for a reason that the guide's restrictions on `__CUDA_ARCH__` say nothing of
#pragma once

template <class T>
__device__ T block_sum(T value) {
#if __CUDA_ARCH__ >= 700
    for (int step = BLOCK; step > 0; step /= 2)
        value += value / step;
#endif
#ifdef WIDE
    value *= 2;
#else
    value *= 3;
#endif
    return value;
}
