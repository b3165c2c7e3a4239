// CHAI's cure: an unguarded mention keeps the instantiation in device passes.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

__host__ __device__ void reset(int *data) {
    (void)&clear<int>;
#ifndef __CUDA_ARCH__
    clear<int><<<1, 1>>>(data);
#endif
}

int main() {
    reset(nullptr);
    return 0;
}
