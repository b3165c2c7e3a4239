// [cpp17] compile-time loops over indices by folds and if constexpr
#include <utility>
template <int I, int N> __global__ void k() {}
template <class F, int... I> void static_for(F f, std::integer_sequence<int, I...>) {
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F> void static_for(F f) { static_for(f, std::make_integer_sequence<int, N>{}); }
int main() {
  static_for<3>([](auto i) {
    if constexpr (i % 2 == 0) k<i, 0><<<1, 1>>>();
    else k<i(), 1><<<1, 1>>>();
  });
}
