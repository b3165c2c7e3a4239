// [cuda] what device functions and kernels call instantiates kernels no host code names
template <class T, int N> __global__ void k(T *p) {}
template <class T> __host__ __device__ int both(T) { return sizeof(T); }
template <class T> __device__ T twice(T v) { return v + v; }
template <class T, int N> __global__ void outer(T v) { both(v); twice(v); }
template <class T> __host__ __device__ void go_both(T v) {
#ifndef __CUDA_ARCH__
  outer<T, 1><<<1, 1>>>(v);
#else
  outer<T, 1><<<1, 1>>>(v);
#endif
}
__host__ __device__ void use() {}
int main() { outer<float, 2><<<1, 1>>>(1.f); use(); }
