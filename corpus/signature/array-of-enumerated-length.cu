// The bound of a device array is an enumerator, and the enumerator's value differs by pass.
enum Limits {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    MAX_STREAMS = 16,
#else
    MAX_STREAMS = 8,
#endif
};

__device__ int queue_depth[MAX_STREAMS]; //~ arch-dependent-signature "queue_depth"

__global__ void reset_queues() {
    queue_depth[threadIdx.x % MAX_STREAMS] = 0;
}

int main() {
    int depths[MAX_STREAMS] = {};
    cudaMemcpyToSymbol(queue_depth, depths, sizeof(depths));
    reset_queues<<<1, MAX_STREAMS>>>();
    return 0;
}
