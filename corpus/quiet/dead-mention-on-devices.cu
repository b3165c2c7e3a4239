// Thrust's cure: device passes mention the kernel in code that never runs.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

__host__ __device__ void reset(int *data) {
#ifndef __CUDA_ARCH__
    clear<int><<<1, 1>>>(data);
#else
    if (false) {
        auto kernel = &clear<int>;
        (void)kernel;
    }
#endif
}

int main() {
    reset(nullptr);
    return 0;
}
