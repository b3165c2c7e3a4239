// The parameter's type is what a helper returns, and the helper returns something else on sm_90.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__host__ __device__ inline double unit() { return 1; }
#else
__host__ __device__ inline float unit() { return 1; }
#endif

__global__ void add_unit(decltype(unit()) value, int *out) { //~ arch-dependent-signature "add_unit"
    *out = static_cast<int>(value);
}

int main() {
    add_unit<<<1, 1>>>(1.0f, nullptr);
    return 0;
}
