//@ targets: 80
#include "launch.cuh"

void run_old(int *data) {
    launch_fill(data);
}
