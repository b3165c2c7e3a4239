//@ targets: 80
//@ rdc
#include "pool.cuh"

__global__ void take_old(Pool pool, int *out) {
    *out = pool.take(0);
}
