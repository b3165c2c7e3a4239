// Launch bounds and cluster sizes are no part of a kernel's type either.
#if __CUDA_ARCH__ >= 900
#define BOUNDS __launch_bounds__(256, 2)
#else
#define BOUNDS __launch_bounds__(128)
#endif

struct Tuning {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static constexpr int kThreads = 384;
#else
    static constexpr int kThreads = 128;
#endif
};

__global__ void BOUNDS sweep(int *out) {
    *out = 1;
}

template <class T>
__global__ void __launch_bounds__(T::kThreads) sweep_tuned(int *out) {
    *out = 1;
}

int main() {
    sweep<<<1, 1>>>(nullptr);
    sweep_tuned<Tuning><<<1, 1>>>((int *)nullptr);
    return 0;
}
