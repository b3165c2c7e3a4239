// [basic.lookup.argdep] pointers, arrays and function types lead to the namespaces of what they are made of
template <int N> __global__ void k() {}
namespace a { struct S {}; template <class T> void f(T) { k<1><<<1, 1>>>(); } void g(S (*)(int)) { k<2><<<1, 1>>>(); } }
namespace b { enum class E { x }; void h(const E *) { k<3><<<1, 1>>>(); } }
a::S make(int);
int main() {
  a::S *p = nullptr;
  a::S array[2];
  b::E e{};
  f(p);
  f(array);
  g(make);
  h(&e);
}
