// The same in templates: the name depends on no template parameter, so that it is looked up where it stands.
//@ nvcc: disagrees because the host's pass looks the macro up in the template, where it is no number
template <class T>
__device__ int generation(T) {
    return __CUDA_ARCH__ / 100;
}

template <class T>
__global__ void report(T *out) {
    if constexpr (__CUDA_ARCH__ >= 900)
        *out = T(1);
    else
        *out = generation(*out);
}

void run(int *out) {
    report<<<1, 1>>>(out);
}
