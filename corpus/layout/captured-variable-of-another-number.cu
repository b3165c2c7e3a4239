// The passes capture another number of variables, one of which has a type that is out of reach here.
//@ targets: 80,90
#include <cmath>

template <class F>
__global__ void each(F function) {
    function(threadIdx.x);
}

void run(double *out, double x) {
    auto length = std::hypot(x, 4.0);
    double factor = 2;
    auto store = [=] __device__(int i) { //~ arch-dependent-layout "lambda"
        out[i] = length;
#if __CUDA_ARCH__ >= 900
        out[i] *= factor;
#endif
    };
    each<<<1, 32>>>(store);
    factor += 1;
}
