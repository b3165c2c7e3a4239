//@ targets: 80
//@ rdc
#include "limits.cuh"

__global__ void stages_old(int *out) {
    *out = max_stages;
}
