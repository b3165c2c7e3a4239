// Every call in this unit is guarded as the definition is, so this program works; with separate compilation the
// guide forbids it all the same, because other objects may call the function.
//@ rdc
#if __CUDA_ARCH__ >= 900
__device__ int elect(int lane) { //~[host,sm_80] arch-dependent-definition "elect"
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
