//@ targets: 90
//@ rdc
//@ define: BLOCK=128
#include "fill.cuh"

__global__ void sum_new(int *out) {
    *out = block_sum(*out);
}
