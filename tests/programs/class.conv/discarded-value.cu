// [expr.static.cast]/5 a cast to void converts nothing, and destroys a temporary object
template <class T, int N> __global__ void k() {}
template <class T> struct Value {
  operator T() const { k<T, 1><<<1, 1>>>(); return T(); }
  ~Value() { k<T, 2><<<1, 1>>>(); }
};
template <class T> struct Plain { operator T() const { k<T, 3><<<1, 1>>>(); return T(); } };
template <class T> Value<T> make() { return {}; }
template <class T> void unused(T of) { (void)of; static_cast<void>(of); }
template <class T> void temporary() { (void)make<T>(); }
template <class T> T used(const Plain<T> &of) { return of; }
int main() {
  unused(Plain<int>());
  temporary<float>();
  used(Plain<char>());
}
