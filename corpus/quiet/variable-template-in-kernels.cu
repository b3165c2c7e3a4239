// Which variables of a template the kernels use is their own business while no host code asks for one of them by
// another name. A constant is no symbol, and the one that the host asks for stands in every pass.
template <class T>
__device__ T scratch;

template <class T>
__device__ constexpr int kWidth = sizeof(T);

__global__ void use(int *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    scratch<double> = kWidth<long>;
#else
    scratch<float> = kWidth<int>;
#endif
    scratch<int> = 1;
    *out = scratch<int>;
}

int width() {
#ifndef __CUDA_ARCH__
    return kWidth<short>;
#else
    return 0;
#endif
}

void *run(int *out) {
    use<<<1, 1>>>(out);
    void *address = nullptr;
    cudaGetSymbolAddress(&address, scratch<int>);
    return address;
}
