// Two sources of one library, compiled for two lists, share a header's function.
//@ targets: 80
//@ rdc
#include "depth.cuh"
__global__ void left(int *out) { *out = depth(); }
