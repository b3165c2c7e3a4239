// Launches in a loop, a handler and a conditional operator, in every pass, with a guarded check after each.
#include <cstdlib>

template <class T>
__global__ void relax(T *data, int step) {
    data[threadIdx.x] += step;
}

#ifndef __CUDA_ARCH__
#define CHECK_LAUNCH() \
    do { \
        if (cudaGetLastError() != cudaSuccess) std::abort(); \
    } while (0)
#else
#define CHECK_LAUNCH() ((void)0)
#endif

void run(float *data, int steps) {
    try {
        for (int step = 0; step < steps; ++step) {
            relax<<<1, 32>>>(data, step);
            CHECK_LAUNCH();
        }
    } catch (...) {
        relax<float><<<1, 1>>>(data, 0);
        CHECK_LAUNCH();
    }
}
