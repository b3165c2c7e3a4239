// [temp.explicit] kernels are instantiated explicitly, without a launch
template <class T, int N> __global__ void gemv(T *p, int n) {}
namespace ops { template <class T> __global__ void act(T v) {} }
template __global__ void gemv<float, 128>(float *, int);
template __global__ void gemv<double, 64>(double *, int);
template __global__ void ops::act(int);
