// Comparisons without `defined` that say nothing wrong about the host: in device code, in code of both, in lambdas for
// devices, where the host is named, where only device functions or macros for them depend on it, in constexpr functions.
// A choice between functions of which the host has one for itself. Groups that hold no statement.
#if __CUDA_ARCH__ < 700
#define LOAD(pointer) (*(pointer))
#else
#define LOAD(pointer) __ldg(pointer)
#endif

#if __CUDA_ARCH__ < 600
__device__ double add(double *to, double by) {
    return *to += by;
}
#else
__device__ double add(double *to, double by) {
    return atomicAdd(to, by);
}
#endif

#if __CUDA_ARCH__ < 600
static void only_for_old_gpus() {}
#endif

__host__ __device__ inline int rows() {
#if __CUDA_ARCH__ < 700
    return 32;
#else
    return 64;
#endif
}

constexpr int columns() {
#if __CUDA_ARCH__ < 700
    return 32;
#else
    return 64;
#endif
}

__global__ void both(const int *in, int *out) {
#if __CUDA_ARCH__ < 900
    *out = LOAD(in);
#else
    *out = LOAD(in) + 1;
#endif
}

template <class Function>
__global__ void apply(Function function, int *out) {
    *out = function(1);
}

void run(int *out) {
    auto twice = [] __device__(int value) {
#if __CUDA_ARCH__ >= 900
        return value << 1;
#else
        return 2 * value;
#endif
    };
    apply<<<1, 1>>>(twice, out);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 700
    int threads = 128;
#else
    int threads = 256;
#endif
#if __CUDA_ARCH__
    threads = 512;
#else
    threads += 1;
#endif
#if __CUDA_ARCH__ >= 800
    static_assert(sizeof(int) == 4, "");
#else
    static_assert(sizeof(long) == 8, "");
#endif
    both<<<1, threads>>>(out, out);
}

int main() {
    int *out = nullptr;
    run(out);
}
