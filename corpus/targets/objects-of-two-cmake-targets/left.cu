// Two sources that no program has both of: each CMake target is linked by itself, for its own list.
//@ nvcc: disagrees because it is not told which objects are linked together, and takes all for one program
//@ targets: 80
//@ rdc
#include "depth.cuh"
__global__ void left(int *out) { *out = depth(); }
