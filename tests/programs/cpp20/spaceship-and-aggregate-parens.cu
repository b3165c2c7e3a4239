// [cpp20] parenthesised aggregate initialization and defaulted comparisons as constants
// std: c++20
#include <compare>
template <int A, int B> __global__ void k() {}
struct Version { int major, minor; constexpr auto operator<=>(const Version &) const = default; };
constexpr Version current{12, 4};
template <Version V> void run() {
  if constexpr (V >= Version{12, 0}) k<V.major, 1><<<1, 1>>>();
  else k<V.major, 0><<<1, 1>>>();
}
int main() {
  run<current>();
  run<Version(11, 8)>();
}
