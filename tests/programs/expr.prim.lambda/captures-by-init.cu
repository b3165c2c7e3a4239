// [expr.prim.lambda] init captures, by copy and reference, with types of their own
#include <utility>
template <class T> __global__ void k() {}
template <class T> void go(T) { k<T><<<1, 1>>>(); }
int main() {
  int i = 1;
  auto a = [v = i * 2.5f] { go(v); };
  a();
  auto b = [&r = i, p = &i] { go(p); k<decltype(r)><<<1, 1>>>(); };
  b();
  auto c = [i, n = 3L]() mutable { n += i; go(n); };
  c();
  auto d = [f = [](auto x) { go(x); }] { f('c'); };
  d();
}
