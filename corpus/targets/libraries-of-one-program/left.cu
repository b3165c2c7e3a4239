// A static library and an object library, compiled for other lists and linked into one program: the program keeps one
// of the two copies.
//@ targets: 80
//@ rdc
#include "depth.cuh"
__global__ void left(int *out) { *out = depth(); }
