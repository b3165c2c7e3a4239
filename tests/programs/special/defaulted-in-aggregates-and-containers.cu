// [special] containers of elements whose special members launch
#include <vector>
template <class T, int N> __global__ void k() {}
template <class T> struct Elem {
  Elem() { k<T, 0><<<1, 1>>>(); }
  Elem(const Elem &) { k<T, 1><<<1, 1>>>(); }
  Elem &operator=(const Elem &) { k<T, 2><<<1, 1>>>(); return *this; }
  ~Elem() { k<T, 3><<<1, 1>>>(); }
};
struct Node { Elem<char> e; Elem<short> array[2]; };
int main() {
  Node a;
  Node b(a);
  std::vector<Elem<float>> v(2);
}
