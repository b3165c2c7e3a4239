// Operands of `noexcept` and `sizeof` are not evaluated: nothing in them is instantiated.
template <class T>
__host__ __device__ T twice(T x) {
    return x + x;
}

template <class T>
__global__ void add(T *data) {
    *data += T(1);
}

template <class T>
int launch(T *data) {
    add<<<1, 1>>>(data);
    return 0;
}

int main() {
    int *data = nullptr;
#ifndef __CUDA_ARCH__
    bool quiet = noexcept(launch((float *)nullptr)) || sizeof(launch((double *)nullptr)) == 0;
    if (quiet) return 1;
#endif
    return launch(data) + twice(0);
}
