// The number stands left of the macro, in a condition that goes on over two lines.
//@ targets: 75,80,90
#if defined(__CUDA_ARCH__) && \
    (800 <= __CUDA_ARCH__)
typedef long long counter_t;
#else
typedef int counter_t;
#endif

__device__ counter_t counter; //~[sm_80,sm_90] arch-dependent-signature "counter"

__global__ void increment() {
    counter += 1;
}

int main() {
    increment<<<1, 1>>>();
    void *address;
    cudaGetSymbolAddress(&address, counter);
    return 0;
}
