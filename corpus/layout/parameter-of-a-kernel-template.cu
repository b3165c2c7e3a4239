// The class whose layout differs is a template argument, and the kernel template takes it by value: the
// instantiations have one name in all passes and parameters of two sizes.
struct ReduceOp { //~ arch-dependent-layout "ReduceOp"
#ifdef __CUDA_ARCH__
    float identity;
#else
    double identity;
#endif
};

template <class Op>
__global__ void reduce(Op op, float *out) {
    *out = op.identity;
}

void run(float *out) {
    reduce<<<1, 1>>>(ReduceOp{}, out);
}
