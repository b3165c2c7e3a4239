//@ targets: 90
//@ rdc
#include "pool.cuh"

__global__ void take_new(Pool pool, int *out) {
    *out = pool.take(0);
}
