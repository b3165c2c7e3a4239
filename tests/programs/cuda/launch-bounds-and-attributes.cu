// [cuda] kernel templates with launch bounds, grid constants and attributes in every place
template <class T, int N> __global__ void __launch_bounds__(N) a(T *p) {}
template <class T, int N> __launch_bounds__(N, 2) __global__ void b(const __grid_constant__ T v) {}
template <int N> static __global__ void __launch_bounds__(N * 32, (N > 2 ? 1 : 2)) c() {}
template <class T> __global__ __maxnreg__(64) void d(T) {}
template <class T> inline __global__ auto e(T) -> void {}
template <class T> [[maybe_unused]] __global__ void f(T *__restrict__ p) {}
int main() {
  a<float, 128><<<1, 128>>>(nullptr);
  b<double, 64><<<1, 64>>>(1.0);
  c<4><<<1, 1>>>();
  d<<<1, 1>>>('c');
  e<<<1, 1>>>(1);
  f<<<1, 1>>>((short *)nullptr);
}
