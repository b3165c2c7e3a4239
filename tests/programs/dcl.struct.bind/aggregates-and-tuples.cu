// [dcl.struct.bind] bindings of aggregates, arrays, pairs and tuples
#include <tuple>
#include <utility>
template <class T, int N> __global__ void k() {}
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
struct Dim { int x; float y; const char *z; };
Dim dims();
template <class A, class B> auto both(A a, B b) { return std::make_pair(a, b); }
int main() {
  auto [x, y, z] = dims();
  go(y);
  go(z);
  short array[2] = {1, 2};
  auto &[a, b] = array;
  go(a);
  auto [first, second] = both('c', 2.0);
  go(second);
  auto [i, j, l] = std::make_tuple(1u, 2L, true);
  go(j);
  go(l);
}
