// [stmt.if] chains of if constexpr over types and values discard what is not chosen
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T, int D> void go() {
  if constexpr (std::is_same_v<T, float> && D <= 64) {
    k<T, 1><<<1, 1>>>();
  } else if constexpr (std::is_integral_v<T> || D > 256) {
    k<T, 2><<<1, 1>>>();
    if constexpr (sizeof(T) == 1) { k<T, 3><<<1, 1>>>(); return; }
    k<T, 4><<<1, 1>>>();
  } else {
    static_assert(D < 1000, "");
    k<T, 5><<<1, 1>>>();
  }
}
int main() {
  go<float, 32>();
  go<float, 128>();
  go<char, 1>();
  go<double, 512>();
}
