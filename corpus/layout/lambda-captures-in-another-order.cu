// Both arms use the same two variables, in another order: captures stand in the order of their first use.
template <class F>
__global__ void apply(F body, double *data) {
    data[threadIdx.x] = body();
}

void mix(double *data) {
    int count = 3;
    double weight = 0.25;
    apply<<<1, 32>>>([=] __device__ { //~ arch-dependent-layout "lambda"
#if defined(__CUDA_ARCH__)
        return count + weight;
#else
        return weight + count;
#endif
    }, data);
}
