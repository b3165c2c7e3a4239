// The first restriction kept: the declared types are the same in every pass, and what depends on the
// architecture is a local type in the kernel's body.
typedef double scalar_t;

__device__ scalar_t last_written;

__global__ void store(scalar_t value, scalar_t *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    typedef float work_t;
#else
    typedef double work_t;
#endif
    last_written = value;
    *out = static_cast<work_t>(value);
}

int main() {
    store<<<1, 1>>>(1, nullptr);
    return 0;
}
