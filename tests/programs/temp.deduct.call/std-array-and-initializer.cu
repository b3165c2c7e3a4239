// [temp.deduct.call] std::array's parameters are deduced, and those of a braced list
#include <array>
#include <initializer_list>
template <class T, int N> __global__ void k() {}
template <class T, std::size_t N> void up(const std::array<T, N> &) { k<T, (int)N><<<1, 1>>>(); }
template <class T> void list(std::initializer_list<T>) { k<T, -1><<<1, 1>>>(); }
template <class T, std::size_t N> void braces(const T (&)[N]) { k<T, (int)N><<<1, 1>>>(); }
int main() {
  std::array<float, 5> a{};
  up(a);
  list({1, 2, 3});
  braces({1.0, 2.0});
}
