// The macro that decides is derived in one header and used in another.
#pragma once
#include "config.cuh"

template <class T>
__device__ T shift(T x) { //~ arch-dependent-header "shift"
    return x << (FAST_SHIFT ? 3 : 2);
}
