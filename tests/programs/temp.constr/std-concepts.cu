// [temp.constr] the concepts of <concepts> and <iterator>
// std: c++20
#include <concepts>
template <class T, int N> __global__ void k() {}
void go(std::integral auto v) { k<decltype(v), 1><<<1, 1>>>(); }
void go(std::floating_point auto v) { k<decltype(v), 2><<<1, 1>>>(); }
template <std::convertible_to<float> T> void to_float(T) { k<T, 3><<<1, 1>>>(); }
template <class T> void to_float(T) { k<T, 4><<<1, 1>>>(); }
template <class F> requires std::invocable<F, int> void call(F) { k<int, 5><<<1, 1>>>(); }
struct N {};
int main() {
  go(1);
  go(1.0);
  to_float(3);
  to_float(N{});
  call([](int) {});
}
