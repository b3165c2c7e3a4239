// Only the host's initializer of the captured variable is out of reach, since no standard header is read here; it has
// the type that the other one has.
//@ targets: 80,90
#include <cmath>

template <class F>
__global__ void each(F function) {
    function(threadIdx.x);
}

void run(double *out, double x) {
#ifdef __CUDA_ARCH__
    auto length = 0.0;
#else
    auto length = std::hypot(x, 4.0);
#endif
    auto store = [=] __device__(int i) { out[i] = length; };
    each<<<1, 32>>>(store);
}
