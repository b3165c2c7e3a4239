// [cuda] configurations computed by calls, braces and objects that launch themselves
template <class T, int N> __global__ void k(T v) {}
template <class T> dim3 grid_for(T v) { k<T, 1><<<1, 1>>>(v); return dim3(1); }
struct Cfg { dim3 grid{1}; dim3 block{32, 2}; cudaStream_t stream = nullptr; Cfg() { k<char, 2><<<1, 1>>>('c'); } };
template <int B> constexpr dim3 block() { return dim3(B, 1, 1); }
int main() {
  k<float, 3><<<grid_for(1), block<64>(), 0, 0>>>(1.f);
  k<double, 4><<<Cfg().grid, Cfg{}.block, 0, Cfg().stream>>>(2.0);
  (k<int, 5>)<<<{1, 2}, {32}>>>(1);
  auto kernel = &k<short, 6>;
  (*kernel)<<<1, 1>>>(1);
}
