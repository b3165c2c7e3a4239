// No device pass has the variable, so nothing is registered and `cudaMemcpyToSymbol` fails at run time.
#ifndef __CUDA_ARCH__
__device__ int step_size; //~[host] arch-dependent-definition "step_size"
#endif

__global__ void advance(int *out) {
    *out = 1;
}

void configure() {
#ifndef __CUDA_ARCH__
    int value = 1;
    cudaMemcpyToSymbol(step_size, &value, sizeof(value));
#endif
}

int main() {
    configure();
    advance<<<1, 1>>>(nullptr);
    return 0;
}
