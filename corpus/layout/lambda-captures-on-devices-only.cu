// The guide's own example for captures: for both sides, and only device passes use the variable. nvcc's helper
// templates happen to notice that the counts differ.
template <class F>
__global__ void apply(F body, int *out) {
    *out = body();
}

void count(int *out) {
    int start = 10;
    auto next = [=] __host__ __device__ { //~[host] arch-dependent-layout "lambda"
#ifdef __CUDA_ARCH__
        return start + 1;
#else
        return 0;
#endif
    };
    apply<<<1, 1>>>(next, out);
}
