// Host code without kernels may stand under a guard; it launches nothing and defines nothing that others see.
#include <cstdio>

__global__ void work(int *out) {
    *out = 1;
}

#ifndef __CUDA_ARCH__
static void report(const char *what) {
    std::printf("%s\n", what);
}
#endif

int main() {
#ifndef __CUDA_ARCH__
    report("starting");
#endif
    work<<<1, 1>>>((int *)nullptr);
    return 0;
}
