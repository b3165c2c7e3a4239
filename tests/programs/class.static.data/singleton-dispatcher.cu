// [class.static.data] a singleton of a class template registers a stub for each type, once
template <class T, int N> __global__ void k() {}
enum Device { cpu, cuda, count };
template <class F> struct Stub;
template <class R, class... A> struct Stub<R (*)(A...)> {
  using fn = R (*)(A...);
  fn table[count] = {};
  R operator()(A... a) { return table[cuda](a...); }
};
inline Stub<void (*)(int)> add_stub;
template <class S, class F> struct Registrar { Registrar(S &s, F f) { s.table[cuda] = f; } };
template <class T> void add_impl(int) { k<T, 1><<<1, 1>>>(); }
void add_kernel(int n) { n ? add_impl<float>(n) : add_impl<double>(n); }
static Registrar<decltype(add_stub), void (*)(int)> add_registrar(add_stub, &add_kernel);
template <class T> struct Once {
  static Once &get() { static Once o; return o; }
private:
  Once() { k<T, 2><<<1, 1>>>(); }
};
int main() { add_stub(1); Once<char>::get(); Once<char>::get(); }
