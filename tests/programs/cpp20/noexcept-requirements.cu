// [expr.prim.req.compound] a requirement that an expression does not throw
// std: c++20
template <class T, int N> __global__ void k() {}
template <class E> concept Quiet = requires(E e) { { e.id() } noexcept; };
struct A { int id() noexcept; };
struct B { int id(); };
template <class E> void go() {
  if constexpr (Quiet<E>) k<E, 1><<<1, 1>>>();
  else k<E, 2><<<1, 1>>>();
}
int main() {
  go<A>();
  go<B>();
}
