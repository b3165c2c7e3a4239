// The kernel's argument is a constant of the class that a host function template was called with.
struct Config {
    int rows;
#ifdef __CUDA_ARCH__
    static constexpr int kUnroll = 4;
#else
    static constexpr int kUnroll = 1;
#endif
};

template <int Unroll>
__global__ void apply(Config config, int *out) {
    *out = config.rows + Unroll;
}

template <class C>
void launch_apply(C config) {
    apply<C::kUnroll><<<1, 1>>>(config, (int *)nullptr); //~ arch-dependent-instantiation "apply"
}

int main() {
    launch_apply(Config{1});
    return 0;
}
