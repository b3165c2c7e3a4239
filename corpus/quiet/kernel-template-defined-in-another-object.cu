// The template is only declared here: the launches refer to instantiations that another object has, and cause none.
//@ targets: 80,90
//@ rdc
template <class T>
__global__ void fill(T *to);
namespace gpu {
template <class T>
__global__ void drain(T *from);
}

template <class T>
void run(T *data) {
#ifndef __CUDA_ARCH__
    fill<T><<<1, 1>>>(data);
    gpu::drain<T><<<1, 1>>>(data);
#endif
}

void run_both(float *data) {
    run(data);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    fill<int><<<1, 1>>>(reinterpret_cast<int *>(data));
#endif
}
