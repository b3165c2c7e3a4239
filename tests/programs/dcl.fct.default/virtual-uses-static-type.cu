// [dcl.fct.default] a default argument is the static type's, the body the dynamic's
template <class T, int N> __global__ void k() {}
template <int N> int d() { k<int, N><<<1, 1>>>(); return N; }
struct Base { virtual void run(int = d<1>()) { k<Base, 0><<<1, 1>>>(); } };
struct Derived : Base { void run(int = d<2>()) override { k<Derived, 0><<<1, 1>>>(); } };
int main() {
  Derived derived;
  Base &base = derived;
  base.run();
  derived.run();
}
