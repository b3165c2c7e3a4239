//@ targets: 80
//@ rdc
#include "shift.cuh"

__global__ void shift_old(int *out) {
    *out = sum(Turned{*out}).value;
}

static Registrar flipped([](int *data) { flip_all<<<1, 1>>>(data); });
extern template __global__ void move_all<int>(int *);
