//@ rdc
//@ define: BLOCK=128
#include "sum.cuh"

__global__ void sum_first(int *out) {
    *out = block_sum(*out);
}
