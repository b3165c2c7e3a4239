// Kernel templates in an unnamed namespace and static ones are lost in the same way.
namespace {
template <class T>
__global__ void square(T *data) {
    *data *= *data;
}
}

template <class T>
static __global__ void negate(T *data) {
    *data = -*data;
}

void run(int *data) {
#ifndef __CUDA_ARCH__
    square<<<1, 1>>>(data); //~ arch-dependent-instantiation "square"
    negate<<<1, 1>>>(data); //~ arch-dependent-instantiation "negate"
#endif
}

int main() {
    run(nullptr);
    return 0;
}
