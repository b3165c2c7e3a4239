// [basic.lookup.qual] kernels that are declared in a namespace and defined outside of it by their qualified names
namespace aig {
__global__ void build(const int *values, int count);
namespace inner {
template <class T> __global__ void scan(T *values);
__global__ void sum(float *values);
}
void run();
}
__global__ void aig::build(const int *values, int count) {}
__global__ void aig::inner::sum(float *values) {}
template <class T> __global__ void aig::inner::scan(T *values) {}
void aig::run() {
  build<<<1, 1>>>(nullptr, 0);
  inner::sum<<<1, 1>>>(nullptr);
  inner::scan<<<1, 1>>>((double *)nullptr);
}
