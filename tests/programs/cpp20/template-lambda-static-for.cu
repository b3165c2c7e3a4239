// [cpp20] a lambda with a template parameter list as a loop over indices
// std: c++20
#include <utility>
template <int N> __global__ void k() {}
template <int N> void unrolled() {
  [&]<int... I>(std::integer_sequence<int, I...>) { (k<I * 100 + N><<<1, 1>>>(), ...); }
  (std::make_integer_sequence<int, N>{});
}
int main() {
  unrolled<2>();
  auto each = []<class... T>(auto f) { (f.template operator()<T>(), ...); };
  each.operator()<char, double>([]<class T>() { k<int(sizeof(T)) * 1000><<<1, 1>>>(); });
}
