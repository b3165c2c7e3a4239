// Nothing uses the function template with the guarded launch, and what is left to another object is not compiled here:
// no pass instantiates the kernel.
template <class T>
__global__ void fill(T *out) {
    *out = T(1);
}

template <class T>
void unused(T *out) {
#ifndef __CUDA_ARCH__
    fill<T><<<1, 1>>>(out);
#endif
}

template <class T>
void elsewhere(T *out) {
#ifndef __CUDA_ARCH__
    fill<T><<<1, 1>>>(out);
#endif
}

extern template void elsewhere<float>(float *out);

void run(float *out) {
    fill<int><<<1, 1>>>(nullptr);
    elsewhere(out);
}
