// [stmt.ranged]/1 an iterator is compared with operator!= of namespace scope, and what it gives is converted to bool and to the variable's type
template <class T, int N> __global__ void k() {}
template <class T, int N> void run() { k<T, N><<<1, 1>>>(); }
template <class T> struct Truth { operator bool() const { run<T, 1>(); return false; } };
template <class T> struct Value { operator T() const { run<T, 2>(); return T(); } };
namespace library {
template <class T> struct Iterator { int at; };
template <class T> Truth<T> operator!=(const Iterator<T> &, const Iterator<T> &) { run<T, 3>(); return {}; }
template <class T> Iterator<T> &operator++(Iterator<T> &one) { run<T, 4>(); return one; }
template <class T> Value<T> operator*(const Iterator<T> &) { run<T, 5>(); return {}; }
template <class T> Value<T> operator*(const Iterator<T> &, int) { run<T, 6>(); return {}; }
template <class T> struct Range {
  Iterator<T> begin() const { return {}; }
  Iterator<T> end() const { return {}; }
};
}
template <class T, class R> void all(const R &range) { for (T one : range) (void)one; }
template <class R> void sum(const R &range) { for (auto one : range) (void)one; }
int main() {
  all<float>(library::Range<float>());
  sum(library::Range<int>());
}
