// [temp.arg] addresses of objects, functions and members as arguments
template <auto V> __global__ void k() {}
int table[4];
struct Params { int n; float s; };
__device__ float twice(float x) { return 2 * x; }
template <int *P> void by_pointer() { k<P><<<1, 1>>>(); }
template <float (*F)(float)> void by_function() { k<F><<<1, 1>>>(); }
int main() {
  by_pointer<table>();
  by_pointer<&table[0]>();
  by_function<twice>();
  by_function<&twice>();
}
