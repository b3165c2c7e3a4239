// [dcl.spec.auto] functions with deduced result types used in types and launches
template <class T, int N> __global__ void k() {}
auto size() { return 3L; }
auto half(int a) -> decltype(a / 2.f) { return a / 2.f; }
template <class T> auto next(T v) { if constexpr (sizeof(T) > 4) return (char)v; else return (double)v; }
template <class T> decltype(auto) forward_it(T &&v) { return (v); }
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
int main() {
  go(size());
  go(half(2));
  go(next(1));
  go(next(1.0));
  k<decltype(size()), 2><<<1, 1>>>();
  int i = 0;
  k<decltype(forward_it(i)), 3><<<1, 1>>>();
}
