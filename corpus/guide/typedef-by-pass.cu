// The guide's first restriction: one typedef is `int` on the host and `double` on every GPU, and a
// kernel and a device variable are declared with it. The host passes 4 bytes where the kernel reads 8.
#if !defined(__CUDA_ARCH__)
typedef int scalar_t;
#else
typedef double scalar_t;
#endif

__device__ scalar_t last_written; //~[host] arch-dependent-signature "last_written"

__global__ void store(scalar_t value, scalar_t *out) { //~[sm_80,sm_90] arch-dependent-signature "store"
    last_written = value;
    *out = value;
}

int main() {
    store<<<1, 1>>>(1, nullptr);
    return 0;
}
