//@ targets: 80
//@ rdc
#include "shift.cuh"

__global__ void shift_old(int *out) {
    *out = shift(turn(*out));
}
