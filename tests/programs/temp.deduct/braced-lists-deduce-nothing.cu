// [temp.deduct.call] nothing is deduced from a braced list for a parameter that takes none, so that another function is called
#include <initializer_list>
template <class T, int N> __global__ void k() {}
template <class T> struct Vector {
  Vector();
  template <class U> Vector &operator=(const Vector<U> &) { k<U, 0><<<1, 1>>>(); return *this; }
  Vector &operator=(std::initializer_list<T>) { k<T, 1><<<1, 1>>>(); return *this; }
};
template <class T> void only(T) { k<T, 2><<<1, 1>>>(); }
void only(Vector<int>) { k<int, 3><<<1, 1>>>(); }
template <class T> void other(const Vector<T> &, T) { k<T, 4><<<1, 1>>>(); }
template <class T = char> void with_default(const Vector<T> &) { k<T, 5><<<1, 1>>>(); }
template <class T> void list(std::initializer_list<T>) { k<T, 6><<<1, 1>>>(); }
template <class T> void list(const Vector<T> &) { k<T, 7><<<1, 1>>>(); }
template <class T> using List = std::initializer_list<T>;
template <class T> void alias(List<T>) { k<T, 8><<<1, 1>>>(); }
template <class T, int N> void array(const T (&)[N]) { k<T, 10 + N><<<1, 1>>>(); }
int main() {
  Vector<float> v;
  v = {1, 2};
  v = Vector<short>();
  only({});
  other({}, 1L);
  with_default({});
  list({1.0, 2.0});
  alias({1u});
  array({1, 2, 3});
}
