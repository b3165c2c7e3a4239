//@ targets: 80
//@ rdc
#include "scan.cuh"

__global__ void scan_old(int *data) {
    data[threadIdx.x] = inclusive(data[threadIdx.x]);
}
