//@ targets: 80
#include "shift.cuh"

__global__ void shift_old(int *out) {
    *out = shift(*out);
}
