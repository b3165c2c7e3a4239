// The same in a whole-program build: nobody outside this unit can call the function.
#if __CUDA_ARCH__ >= 900
__device__ int elect(int lane) {
    return lane == 0;
}
#endif

__global__ void lead(int *out) {
#if __CUDA_ARCH__ >= 900
    *out = elect(threadIdx.x);
#else
    *out = threadIdx.x == 0;
#endif
}

int main() {
    lead<<<1, 1>>>(nullptr);
    return 0;
}
