// The same trait of lambdas about which host and device agree: one for devices only, one that captures nothing; and a
// trait of a class.
#include <type_traits>

template <bool Trivial>
__global__ void transfer(int *out) {
    *out = Trivial;
}

template <class F>
void launch_with(F body, int *out) {
    transfer<std::is_trivially_copyable<F>::value><<<1, 1>>>(out);
    (void)body;
}

struct Offset {
    int value;
    __host__ __device__ int operator()(int index) const { return index + value; }
};

void run(int offset, int *out) {
    launch_with([=] __device__(int index) { return index + offset; }, out);
    launch_with([] __host__ __device__(int index) { return index; }, out);
    launch_with(Offset{offset}, out);
    transfer<std::is_trivially_destructible_v<Offset>><<<1, 1>>>(out);
}
