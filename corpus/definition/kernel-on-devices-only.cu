// The kernel is defined for the GPUs alone: nvcc's generated host code mentions a kernel that the host pass
// does not know.
#ifdef __CUDA_ARCH__
__global__ void initialise(int *out) { //~[host] arch-dependent-definition "initialise"
    *out = 1;
}
#endif

int main() {
    return 0;
}
