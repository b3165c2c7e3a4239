// A kernel launched from device code, and from nowhere else, with separate compilation.
//@ rdc
template <class T>
__global__ void child(T *data) {
    *data = T(1);
}

__host__ __device__ void spawn(int *data) {
#ifdef __CUDA_ARCH__
    child<<<1, 1>>>(data);
#endif
}

int main() {
    spawn(nullptr);
    return 0;
}
