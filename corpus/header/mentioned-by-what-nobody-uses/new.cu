//@ targets: 90
//@ rdc
#include "shift.cuh"

__global__ void shift_new(int *out) {
    *out = Shifter().run(*out) + sum(Turned{*out}).value;
}

static Registrar flipped([](int *data) { flip_all<<<1, 1>>>(data); });
template __global__ void move_all<int>(int *);
