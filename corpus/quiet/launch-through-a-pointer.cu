// Every pass takes the kernel's address; only the host launches what the pointer points to.
template <class T>
__global__ void reduce(const T *in, T *out) {
    *out = in[threadIdx.x];
}

using ReduceKernel = void (*)(const float *, float *);

void run(const float *in, float *out) {
    ReduceKernel kernel = &reduce<float>;
    auto other = reduce<float>;
#ifndef __CUDA_ARCH__
    kernel<<<1, 128>>>(in, out);
    other<<<1, 128>>>(in, out);
#endif
    (void)kernel, (void)other;
}
