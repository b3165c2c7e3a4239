// [namespace.udir] a directive's names are seen in the nearest enclosing namespace of both
template <int N> __global__ void k() {}
void f() { k<0><<<1, 1>>>(); }
namespace a { void f() { k<1><<<1, 1>>>(); } void g() { k<2><<<1, 1>>>(); } }
namespace b {
using namespace a;
namespace inner { void f() { k<3><<<1, 1>>>(); } void call() { f(); g(); } }
void call() { a::f(); }
}
void g(int) { k<4><<<1, 1>>>(); }
int main() {
  b::inner::call();
  using namespace b;
  g();
  g(1);
  ::f();
}
