// [dcl.enum] enumerations with underlying types, forward declared, in conversions and overloads
#include <type_traits>
template <class T, int N> __global__ void k() {}
enum class A : unsigned char { x = 200 };
enum B : short;
enum B : short { b1 = -3, b2 };
enum C { c1, c2 = 1u << 31 };
template <class E> void go(E e) {
  using U = std::underlying_type_t<E>;
  k<U, int(static_cast<U>(E(1)))><<<1, 1>>>();
}
void f(int) { k<int, 10><<<1, 1>>>(); }
void f(short) { k<short, 11><<<1, 1>>>(); }
int main() {
  go(A::x);
  go(b1);
  f(A::x == A::x);
  k<C, c1 + 1><<<1, 1>>>();
  k<B, b2><<<1, 1>>>();
}
