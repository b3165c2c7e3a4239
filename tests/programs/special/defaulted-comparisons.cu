// [special] defaulted three-way comparison of members that launch
// std: c++20
template <class T, int N> __global__ void k() {}
template <class T> struct Cmp { T t; constexpr bool operator==(const Cmp &) const { return true; } bool operator<(const Cmp &) const { run(); return true; } static void run() { k<T, 1><<<1, 1>>>(); } };
template <class T> struct Eq { bool operator==(const Eq &) const { k<T, 2><<<1, 1>>>(); return true; } };
int main() {
  Eq<int> a, b;
  bool x = a == b;
  bool y = a != b;
  Cmp<float> c{}, d{};
  bool z = c < d;
}
