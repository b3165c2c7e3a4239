//@ targets: 90
//@ rdc
#include "shift.cuh"

__global__ void shift_new(int *out) {
    *out = Shifter().run(*out) + sum(Turned{*out}).value;
}
