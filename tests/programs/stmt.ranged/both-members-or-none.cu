// [stmt.ranged]/1 the members begin and end are called if there are both, else the functions of namespaces; iterators are variables of their own
template <class T, int N> __global__ void k() {}
template <class T, int N> T *run() { k<T, N><<<1, 1>>>(); return 0; }
namespace library {
template <class T> struct Begin { T *begin() { return run<T, 1>(); } };
template <class T> struct End { int end; };
template <class T> struct Count { T *begin(int) { return run<T, 2>(); } T end(int); };
template <class T> T *begin(Begin<T> &) { return run<T, 3>(); }
template <class T> T *end(Begin<T> &) { return run<T, 4>(); }
template <class T> T *begin(End<T> &) { return run<T, 5>(); }
template <class T> T *end(End<T> &) { return run<T, 6>(); }
template <class T> struct Iterator {
  Iterator() {}
  Iterator(const Iterator &) { run<T, 7>(); }
  ~Iterator() { run<T, 8>(); }
  T &operator*() & { return *run<T, 9>(); }
  T &operator*() && { return *run<T, 10>(); }
};
template <class T> Iterator<T> &operator++(Iterator<T> &one) { run<T, 11>(); return one; }
template <class T> bool operator==(Iterator<T> &, Iterator<T> &) { run<T, 12>(); return true; }
template <class T> bool operator!=(Iterator<T> &, Iterator<T> &) { run<T, 13>(); return true; }
template <class T> struct ByReference {
  Iterator<T> first;
  Iterator<T> &begin() { return first; }
  Iterator<T> &end() { return first; }
};
template <class T> struct ByValue {
  Iterator<T> begin() { return Iterator<T>(); }
  Iterator<T> end() { return Iterator<T>(); }
};
}
template <class R> void all(R &range) { for (auto &&one : range) (void)one; }
int main() {
  library::Begin<int> begin;
  all(begin);
  library::End<float> end;
  all(end);
  library::ByReference<char> by_reference;
  all(by_reference);
  library::ByValue<long> by_value;
  all(by_value);
}
