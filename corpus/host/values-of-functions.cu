// Functions of which the host has another variant than devices, and what it launches with it. A function that asks what its
// own side may do, and tells the device nothing, is nobody's business.
#ifdef __CUDA_ARCH__
#define ON_DEVICE 1
#endif
#if __CUDA_ARCH__ >= 900
#define TILE 128
#else
#define TILE 64
#endif

inline int tile() {
    return TILE; //~[host,sm_80] host-value-by-pass "`TILE` is 64 on the host"
}

namespace config {
__host__ __device__ inline int stages(int depth) {
#if __CUDA_ARCH__ >= 900
    return 4;
#else
    return 1;
#endif
}
}

inline int warps() {
#ifdef ON_DEVICE
    return 8;
#else
    return 4;
#endif
}

__host__ __device__ inline int side() {
#ifdef ON_DEVICE
    return 1;
#else
    return 0;
#endif
}

__host__ __device__ inline int alike() {
#ifdef ON_DEVICE
    return 2 * 16;
#else
    return 32;
#endif
}

__global__ void sum(const int *in, int *out) {
    __shared__ int partial[TILE];
    partial[threadIdx.x] = in[threadIdx.x] + alike() + side();
    *out = partial[config::stages(1)];
}

int run(const int *in, int *out, int count) {
    int threads = tile();
    sum<<<count / threads, threads>>>(in, out);
    sum<<<1, 64, config::stages(2) * 64>>>(in, out); //~[host,sm_80] host-value-by-pass "`stages` is 1 on the host"
    sum<<<1, warps() * 32>>>(in, out); //~[host] host-value-by-pass "`warps` is 4 on the host"
    sum<<<1, alike()>>>(in, out);
    return side();
}
