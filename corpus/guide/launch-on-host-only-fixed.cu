// The second restriction kept: an explicit instantiation that every pass sees generates `fill<int>`
// in every device pass, so the guarded launch finds its kernel.
__device__ int result;

template <typename T>
__global__ void fill(T in) {
    result = in;
}

template __global__ void fill<int>(int);

__host__ __device__ void start(void) {
#if !defined(__CUDA_ARCH__)
    fill<<<1, 1>>>(1);
#endif
}

int main() {
    start();
    return 0;
}
