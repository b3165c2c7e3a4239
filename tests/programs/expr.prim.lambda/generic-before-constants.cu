// [expr.prim.lambda.closure] a variable of a generic lambda's result, and constants after it that depend on its type
template <class T, int N> __global__ void k(T) {}
template <class A, class B> auto pick(A a, B b) { return a; }
template <class T> auto make(T size) {
  auto pair = pick([](auto v) { return v * 2.0; }, [](auto v) { return v; })(size);
  constexpr int bits = 8 * sizeof(pair);
  constexpr int twice = 2 * bits;
  using Result = decltype(pair);
  k<Result, twice><<<1, 1>>>(pair);
  return pair;
}
int main() {
  k<decltype(make(1)), 1><<<1, 1>>>(0);
  make(1.0f);
}
