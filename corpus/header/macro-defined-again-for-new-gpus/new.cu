//@ targets: 90
//@ rdc
#include "stages.cuh"

__global__ void stages_new(int *out) {
    *out = stages(*out) + clusters(*out) + number(*out) + warps(*out);
}
