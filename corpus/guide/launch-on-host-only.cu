// The guide's second restriction: `fill<int>` is instantiated by a launch that only the host pass sees,
// so no device pass generates the kernel that the host launches.
__device__ int result;

template <typename T>
__global__ void fill(T in) {
    result = in;
}

__host__ __device__ void start(void) {
#if !defined(__CUDA_ARCH__)
    fill<<<1, 1>>>(1); //~[sm_80,sm_90] arch-dependent-instantiation "fill"
#endif
}

int main() {
    start();
    return 0;
}
