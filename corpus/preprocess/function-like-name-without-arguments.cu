// A function-like macro by pass whose name is never followed by a parenthesis, and so stays a name; and one that names
// itself, and is not expanded again.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define scale(x) scale_by_two(x)
#define bias bias
#else
#define bias (bias)
#endif

constexpr int bias = 3;

template <int Bias>
__global__ void (scale)(float *data) {
    data[threadIdx.x] *= Bias;
}

void run(float *data) {
    auto kernel = scale<bias>;
    (void)kernel;
}
