//@ targets: 90
//@ rdc
#include "shift.cuh"

__global__ void shift_new(int *out) {
    *out = turn(shift(*out));
}
