// [expr.prim.lambda] stateless lambdas as types, default constructed, and in constants
// std: c++20
template <int N> __global__ void k() {}
using Twice = decltype([](int x) { return 2 * x; });
template <class F> struct Apply { static constexpr int value = F{}(21); };
constexpr auto add = [](auto... v) { return (0 + ... + v); };
template <class F> void go(F f) { k<F{}(5)><<<1, 1>>>(); }
int main() {
  k<Apply<Twice>::value><<<1, 1>>>();
  k<add(1, 2, 3)><<<1, 1>>>();
  go([](int x) { return x * x; });
}
