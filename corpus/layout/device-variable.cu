// A struct in device memory is 16 bytes on the GPU and 4 on the host, which copies 4.
struct Statistics { //~ arch-dependent-layout "Statistics"
    int launches;
#ifdef __CUDA_ARCH__
    int per_warp[3];
#endif
};

__device__ Statistics statistics;

__global__ void count_launch(int *out) {
    *out = statistics.launches;
}

int main() {
    Statistics zero{};
    cudaMemcpyToSymbol(statistics, &zero, sizeof(zero));
    count_launch<<<1, 1>>>(nullptr);
    return 0;
}
