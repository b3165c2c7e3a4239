// The host pass has nothing of a source that is compiled to cubins for the driver: nothing refers to its kernels by name.
//@ targets: 80,90
//@ nvcc: disagrees because the host pass of an object file lacks the kernel, which nothing there refers to
//@ rdc
#ifdef __CUDA_ARCH__
__constant__ int parameters[4];

__device__ int scaled(int value) {
    return value * parameters[0];
}

extern "C" __global__ void scale(int *out) {
    *out = scaled(*out);
}
#endif
