// Naming an instantiation in an unevaluated operand, or in a discarded statement, does not instantiate the kernel, so
// the host has none that the GPUs lack.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

#ifndef __CUDA_ARCH__
using ClearKernel = decltype(&clear<int>);

void reset(float *data) {
    if constexpr (false) clear<<<1, 1>>>(data);
}
#endif

int main() {
    return 0;
}
