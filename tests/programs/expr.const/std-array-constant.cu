// [expr.const] a constexpr std::array and index arithmetic
#include <array>
template <int A, int B> __global__ void k() {}
constexpr std::array<int, 4> sizes{32, 64, 96, 128};
template <std::size_t I> void each() {
  k<sizes[I], int(sizes.size() - I)><<<1, 1>>>();
  if constexpr (I + 1 < sizes.size()) each<I + 1>();
}
constexpr int sum() { int s = 0; for (int v : sizes) s += v; return s; }
int main() {
  each<2>();
  k<sum(), std::get<1>(sizes)><<<1, 1>>>();
}
