//@ targets: 80
//@ cuda: 12.4
#include "launch.cuh"

void run_old(float *data) {
    launch_fill(data);
}
