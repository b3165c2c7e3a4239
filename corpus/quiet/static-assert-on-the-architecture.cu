// A `static_assert` that means to reject old GPUs fails to compile on the host instead.
//@ nvcc: disagrees because the assertion fails on the host, where the macro is no number
template <class T>
__global__ void mma(T *out) {
    static_assert(__CUDA_ARCH__ >= 800, "needs asynchronous copies");
    *out = T(1);
}

void run(float *out) {
    mma<<<1, 1>>>(out);
}
