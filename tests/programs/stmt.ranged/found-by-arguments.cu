// [stmt.ranged]/1 begin and end are found by argument-dependent lookup alone where the class has no member of these names
template <class T, int N> __global__ void k(T *p) {}
template <class T, int N> T *run() { k<T, N><<<1, 1>>>((T *)0); return 0; }
template <class T> T *begin(T &) { return run<T, 1>(); }
namespace library {
template <class T> struct Range { T first; };
template <class T> T *begin(Range<T> &) { return run<T, 2>(); }
template <class T> T *end(Range<T> &) { return run<T, 3>(); }
template <class T> const T *begin(const Range<T> &) { return run<T, 4>(); }
template <class T> const T *end(const Range<T> &) { return run<T, 5>(); }
template <class T> struct Own {
  T *begin() { return run<T, 6>(); }
  T *end() { return run<T, 7>(); }
};
template <class T> T *begin(Own<T> &) { return run<T, 8>(); }
template <class T> struct Friendly {
  friend T *begin(Friendly &) { return run<T, 9>(); }
  friend T *end(Friendly &) { return run<T, 10>(); }
};
}
template <class R> void all(R &range) { for (const auto &one : range) (void)one; }
int main() {
  library::Range<int> range;
  all(range);
  const library::Range<float> fixed{};
  all(fixed);
  library::Own<char> own;
  all(own);
  library::Friendly<short> friendly;
  for (auto &one : friendly) (void)one;
  int array[2] = {};
  all(array);
}
