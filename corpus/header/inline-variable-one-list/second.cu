//@ rdc
#include "limits.cuh"

__global__ void stages_second(int *out) {
    *out = max_stages;
}
