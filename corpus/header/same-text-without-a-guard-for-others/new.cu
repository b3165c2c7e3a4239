//@ targets: 90
//@ rdc
#include "scan.cuh"

__global__ void scan_new(int *data) {
    data[threadIdx.x] = inclusive(data[threadIdx.x]);
}
