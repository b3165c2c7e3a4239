// A local in device memory may stand in a `__host__ __device__` function only under a guard.
__host__ __device__ int next_ticket() {
#ifdef __CUDA_ARCH__
    static __device__ int tickets = 0;
    return ++tickets;
#else
    static int tickets = 0;
    return ++tickets;
#endif
}

__global__ void take(int *out) {
    *out = next_ticket();
}

int main() {
    take<<<1, 1>>>((int *)nullptr);
    return next_ticket();
}
