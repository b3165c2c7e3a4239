//@ targets: 90
//@ rdc
#include "depth.cuh"
__global__ void right(int *out) { *out = depth(); }
