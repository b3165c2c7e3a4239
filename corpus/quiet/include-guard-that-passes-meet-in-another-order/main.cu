// The host includes the header where devices do not yet: its include guard keeps no target out, so that an instruction
// of an overload that nobody calls is not meant for all of them.
//@ targets: 75,80
#include "features.cuh"
#include "fences.cuh"

__global__ void publish(int *flag) {
    fence(of_block());
    *flag = 1;
}
