// [expr.prim.lambda] a lambda's body counts when it is written, a generic one's when it is called
template <class T, int N> __global__ void k() {}
void run() {
  auto plain = [] { k<int, 1><<<1, 1>>>(); };
  auto generic = [](auto v) { k<decltype(v), 2><<<1, 1>>>(); };
  auto returns = [](auto v) { return [](auto w) { k<decltype(w), 3><<<1, 1>>>(); }; };
  returns(1);
  returns(1)(2.f);
}
template <class T> void never() { [] { k<T, 4><<<1, 1>>>(); }(); }
