// Before 13.0 nvcc makes the host stubs of kernel templates weak symbols. Both objects register device code under the
// one stub that the linker keeps, each for its own GPU; with 13.0's static stubs each has its own.
#pragma once

template <class T>
__global__ void fill(T *data) { //~[sm_80] arch-dependent-header "fill"
    *data = T(1);
}

template <class T>
inline void launch_fill(T *data) {
    fill<T><<<1, 1>>>(data);
}
