// A static library of one program and an object library of another, which shares nothing with it but a shared library:
// no program has both copies.
//@ nvcc: disagrees because it is not told which objects are linked together, and takes all for one program
//@ targets: 80
//@ rdc
#include "depth.cuh"
__global__ void left(int *out) { *out = depth(); }
