//@ rdc
#include "limits.cuh"

__global__ void stages_first(int *out) {
    *out = max_stages;
}
