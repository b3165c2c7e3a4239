//@ targets: 80,90
//@ rdc
#include "scratch.cuh"

__global__ void produce(int *out) {
    *out = scratch<int>() == nullptr;
}

void run_producer() {
    produce<<<1, 1>>>(nullptr);
}
