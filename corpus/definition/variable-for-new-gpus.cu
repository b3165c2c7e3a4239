// The variable exists on the host and on sm_90. sm_80 has no such symbol.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ int cluster_count; //~[sm_80] arch-dependent-definition "cluster_count"
#endif

__global__ void report(int *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    *out = cluster_count;
#endif
}

void configure() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    int value = 1;
    cudaMemcpyToSymbol(cluster_count, &value, sizeof(value));
#endif
}

int main() {
    configure();
    report<<<1, 1>>>(nullptr);
    return 0;
}
