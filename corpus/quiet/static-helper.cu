// A static device helper that comes and goes, with guarded calls.
#if __CUDA_ARCH__ >= 900
static __device__ int elect(int lane) {
    return lane == 0;
}
#endif

__global__ void lead(int *out) {
#if __CUDA_ARCH__ >= 900
    *out = elect(threadIdx.x);
#else
    *out = 0;
#endif
}

int main() {
    lead<<<1, 1>>>(nullptr);
    return 0;
}
