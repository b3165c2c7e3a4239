//@ rdc
//@ define: BLOCK=256
#include "sum.cuh"

__global__ void sum_second(int *out) {
    *out = block_sum(*out);
}
