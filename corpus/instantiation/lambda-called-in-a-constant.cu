// A lambda-expression that a constant calls reads a constant of the pass.
#ifdef __CUDA_ARCH__
#define VECTOR 8
#else
#define VECTOR 4
#endif

constexpr auto rounded_up = [](int n) { return (n + VECTOR - 1) / VECTOR * VECTOR; };

template <class F>
constexpr int twice(F f, int n) {
    int all = 0;
    for (int part : {n, n + 1}) {
        all += f(part);
    }
    return all;
}

template <int Elements>
__global__ void copy(float *out) {
    out[threadIdx.x] = Elements;
}

void run(float *out) {
    copy<twice(rounded_up, 4)><<<1, 32>>>(out); //~[host] arch-dependent-instantiation "copy<12>"
    copy<twice([](int n) { return n * n; }, 4)><<<1, 32>>>(out);
}
