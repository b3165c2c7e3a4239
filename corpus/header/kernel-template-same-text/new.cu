//@ targets: 90
#include "launch.cuh"

void run_new(int *data) {
    launch_fill(data);
}
