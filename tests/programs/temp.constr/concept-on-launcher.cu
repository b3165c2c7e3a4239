// [temp.constr] overloads constrained by concepts, the more constrained one wins
// std: c++20
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T> concept Number = std::is_arithmetic_v<T>;
template <class T> concept Real = Number<T> && std::is_floating_point_v<T>;
template <class T> void go(T) { k<T, 0><<<1, 1>>>(); }
template <Number T> void go(T) { k<T, 1><<<1, 1>>>(); }
template <Real T> void go(T) { k<T, 2><<<1, 1>>>(); }
struct S {};
int main() {
  go(S{});
  go(1);
  go(1.f);
}
