// A kernel that stops on GPUs it was not written for is there on all of them.
#include <cassert>

template <class T>
__global__ void tensor_core(T *out) {
#if __CUDA_ARCH__ >= 900
    *out = 1;
#else
    assert(false);
#endif
}

int main() {
    tensor_core<<<1, 1>>>((int *)nullptr);
    return 0;
}
