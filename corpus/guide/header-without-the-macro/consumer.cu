//@ targets: 90
//@ rdc
#include "scratch.cuh"

void run_producer();

__global__ void consume(int *out) {
    int *buffer = scratch<int, true>();
    *out = buffer != nullptr;
}

int main() {
    run_producer();
    consume<<<1, 1>>>(nullptr);
    return 0;
}
