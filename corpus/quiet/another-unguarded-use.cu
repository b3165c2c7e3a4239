// One launch is guarded, but another mention of the same instantiation is not: every pass generates it.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

void reset_all(int *data) {
    clear<int><<<1, 1>>>(data);
}

__host__ __device__ void reset(int *data) {
#ifndef __CUDA_ARCH__
    clear<int><<<1, 1>>>(data);
#endif
}

int main() {
    reset(nullptr);
    return 0;
}
