// Conditions on the architecture that the host need not meet: in functions for both sides, in extended lambdas, in device
// members, in constexpr functions; and those that leave the host code of its own or nothing but declarations.
#define BOTH __host__ __device__

BOTH inline int lanes() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return 64;
#endif
    return 32;
}

__device__ int helper(int value);

int helper(int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    value += 1;
#endif
    return value;
}

constexpr int rows() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return 4;
#endif
    return 4;
}

template <class F>
__global__ void apply(F body) {
    body(threadIdx.x);
}

struct Tile {
    int data[rows()];

    BOTH Tile() {
#if defined(__CUDA_ARCH__)
        data[0] = 1;
#endif
    }
};

void run(int *out) {
    apply<<<1, 32>>>([=] __device__(int index) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        out[index] = lanes();
#endif
        out[index] += helper(index);
    });
#if defined(__CUDA_ARCH__)
    int limit = 1;
    (void)limit;
#else
    int limit = 2;
    (void)limit;
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static_assert(rows() == 4, "as many as the tiles have");
#endif
}
