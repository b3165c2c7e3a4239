// Internal linkage does not help: nvcc's own generated host code names the table, which the host pass never
// declared, and the build fails there with an obscure message.
#ifdef __CUDA_ARCH__
static __constant__ int shuffle_table[4] = {3, 2, 1, 0}; //~[host] arch-dependent-definition "shuffle_table"
#endif

__global__ void shuffle(int *out) {
#ifdef __CUDA_ARCH__
    *out = shuffle_table[threadIdx.x];
#endif
}

int main() {
    shuffle<<<1, 1>>>(nullptr);
    return 0;
}
