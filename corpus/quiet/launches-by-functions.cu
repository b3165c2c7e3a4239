// Launches whose configurations have members with values that differ by pass, and do not use these: another member, another
// object of the same name, a value that is given anew, a comparison. The kernel's own arguments are its own where no device
// code has another idea of them.
//@ targets: 80,90
#include <cuda_runtime.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define DEPTH 4
#else
#define DEPTH 2
#endif

__global__ void sum(float *out, int count) {
    *out = count;
}

struct Plan {
    int depth, threads;
};

int other_member(float *out) {
    Plan plan = {0, 64};
    plan.depth = DEPTH;
    sum<<<1, plan.threads>>>(out, 1);
    return plan.depth;
}

int other_object(float *out) {
    {
        int threads;
        threads = DEPTH;
        if (threads > 2) return threads;
    }
    int threads = 64;
    sum<<<1, threads>>>(out, 1);
    return 0;
}

void compared(float *out, int threads) {
    if (threads == DEPTH) return;
    void *arguments[] = {&out, &threads};
    cudaLaunchKernel((const void *)sum, dim3(1), dim3(threads), arguments, 0, 0);
}

void pointed_to(float *out) {
    int threads = DEPTH;
    int count = 64;
    void *all[2] = {&out, &threads};
    void *arguments[] = {&out, &count};
    cudaLaunchKernel((const void *)sum, dim3(1), dim3(64), arguments, 0, 0);
    cudaLaunchKernel((const void *)sum, dim3(1), dim3(64), all, 0, 0);
}

void given(float *out) {
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 64;
    cudaLaunchKernelEx(&config, sum, out, DEPTH);
}

int main() {
    compared(nullptr, 64);
    pointed_to(nullptr);
    given(nullptr);
    return other_member(nullptr) + other_object(nullptr);
}
