// [stmt.ranged]/1 begin, end and the iterators' operators are members of class templates, in templates that name none of them
template <class T, int N> __global__ void k(T *p) {}
template <class T, int N> T *run() { k<T, N><<<1, 1>>>((T *)0); return 0; }
template <class T> struct By {
  T *begin() { return run<T, 1>(); }
  T *end() { return run<T, 2>(); }
};
template <class T> struct Const {
  T *begin() { return run<T, 3>(); }
  T *end() { return run<T, 4>(); }
  const T *begin() const { return run<T, 5>(); }
  const T *end() const { return run<T, 6>(); }
};
template <class T> struct Iterator {
  T &operator*() { return *run<T, 7>(); }
  Iterator &operator++() { run<T, 8>(); return *this; }
  bool operator!=(const Iterator &) const { run<T, 9>(); return false; }
  Iterator operator++(int) { run<T, 10>(); return *this; }
  Iterator &operator--() { run<T, 11>(); return *this; }
};
template <class T> struct Iterated {
  Iterator<T> begin() { return {}; }
  Iterator<T> end() { return {}; }
  Iterator<T> rbegin() { run<T, 12>(); return {}; }
};
template <class T> struct Lvalue {
  T *begin() & { return run<T, 13>(); }
  T *begin() && { return run<T, 14>(); }
  T *end() & { return run<T, 15>(); }
};
template <class R> void all(R &&range) { for (auto &one : range) (void)one; }
template <class R> void temporary() { for (auto &&one : R()) (void)one; }
template <class R> void nested(R &range) {
  for (auto &outer : range) { for (auto &inner : range) (void)inner; }
}
template <class T> struct Matrix {
  By<T> row;
  By<T> *begin() { return &row; }
  By<T> *end() { return &row; }
};
int main() {
  By<int> by;
  all(by);
  Const<int> values;
  all(values);
  const Const<long> fixed{};
  all(fixed);
  all(Iterated<float>());
  temporary<Lvalue<char>>();
  Matrix<double> matrix;
  for (auto &row : matrix) for (auto &one : row) (void)one;
  nested(by);
}
