// [stmt.if] functions that ask whether they are evaluated as constants
// std: c++20
template <int N> __global__ void k() {}
constexpr int size() { return __builtin_is_constant_evaluated() ? 4 : 8; }
constexpr int twice(int n) { if (__builtin_is_constant_evaluated()) return 2 * n; return n; }
template <int N> void go() { k<N><<<1, 1>>>(); }
int main() {
  go<size()>();
  go<twice(10)>();
  go<sizeof(int[twice(3)])>();
}
