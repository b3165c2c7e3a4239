// [over.match.list] a list whose elements are lists is given to the constructor that takes a list, not to one that copies
#include <initializer_list>
template <class T, int N> __global__ void k() {}
struct Pair {
  int first, second;
};
template <class T> struct Source {
  Source() {}
  Source(const Source &) { k<T, 10><<<1, 1>>>(); }
  template <class U> Source(const Source<U> &) { k<T, 11><<<1, 1>>>(); }
};
template <class T> struct Row {
  Row() {}
  explicit Row(unsigned long) { k<T, 1><<<1, 1>>>(); }
  explicit Row(const Source<T> &) { k<T, 2><<<1, 1>>>(); }
  Row(const Row &) { k<T, 3><<<1, 1>>>(); }
  Row(Row &&) { k<T, 4><<<1, 1>>>(); }
  template <class U> Row(const Row<U> &) { k<T, 5><<<1, 1>>>(); }
  Row(std::initializer_list<T>) { k<T, 6><<<1, 1>>>(); }
  Row(std::initializer_list<T>, const Source<T> &) { k<T, 7><<<1, 1>>>(); }
};
template <class T> struct Filled {
  Filled(Pair, Pair, int = 0, const Source<T> & = Source<T>()) { k<T, 8><<<1, 1>>>(); }
  Filled(std::initializer_list<T>) { k<T, 9><<<1, 1>>>(); }
};
int main() {
  Row<Pair> a{{0, 1}, {2, 3}, {4, 1}, {2, 5}, {7, 1}, {1, 1}, {0, 4}, {3, 1}, {1, 2}, {3, 2}, {4, 5}, {3, 5},
              {1, 9}, {0, 1}, {0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 0}, {2, 2}, {2, 2}, {0, 0}, {1, 1}, {2, 3}};
  Row<Pair> b({{0, 1}, {2, 3}}, Source<Pair>());
  Filled<Pair> c{{0, 1}, {2, 3}, {4, 5}};
  Filled<int *> d{{0, 1}, {2, 3}};
}
