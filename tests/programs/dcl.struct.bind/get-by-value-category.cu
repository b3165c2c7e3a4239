// [dcl.struct.bind]/4 get is called with the variable that the declaration introduces: an lvalue if it is an lvalue reference, else an xvalue
#include <utility>
template <class T, int N> __global__ void k() {}
template <class T, int N> T run() { k<T, N><<<1, 1>>>(); return T(); }
template <class T> struct Free {};
template <std::size_t I, class T> T get(Free<T> &) { return run<T, 10 + I>(); }
template <std::size_t I, class T> T get(const Free<T> &) { return run<T, 20 + I>(); }
template <std::size_t I, class T> T get(Free<T> &&) { return run<T, 30 + I>(); }
template <std::size_t I, class T> T get(const Free<T> &&) { return run<T, 40 + I>(); }
template <class T> struct Member {
  template <std::size_t I> T get() & { return run<T, 50 + I>(); }
  template <std::size_t I> T get() const & { return run<T, 60 + I>(); }
  template <std::size_t I> T get() && { return run<T, 70 + I>(); }
  template <std::size_t I> T get() const && { return run<T, 80 + I>(); }
};
namespace std {
template <class T> struct tuple_size<Free<T>> { static constexpr size_t value = 1; };
template <size_t I, class T> struct tuple_element<I, Free<T>> { using type = T; };
template <class T> struct tuple_size<Member<T>> { static constexpr size_t value = 1; };
template <size_t I, class T> struct tuple_element<I, Member<T>> { using type = T; };
template <class T> struct tuple_size<const Member<T>> { static constexpr size_t value = 1; };
template <size_t I, class T> struct tuple_element<I, const Member<T>> { using type = T; };
template <class T> struct tuple_size<const Free<T>> { static constexpr size_t value = 1; };
template <size_t I, class T> struct tuple_element<I, const Free<T>> { using type = T; };
}
template <class P> void copied(P &pair) { auto [x] = pair; (void)x; }
template <class P> void constant(P &pair) { const auto [x] = pair; (void)x; }
template <class P> void referred(P &pair) { auto &[x] = pair; (void)x; }
template <class P> void viewed(P &pair) { const auto &[x] = pair; (void)x; }
template <class P> void forwarded(P &&pair) { auto &&[x] = pair; (void)x; }
template <class P> void made() { auto &&[x] = P(); (void)x; }
template <class P> void each(P (&pairs)[2]) { for (auto [x] : pairs) (void)x; }
template <class P> void viewed_each(P (&pairs)[2]) { for (const auto &[x] : pairs) (void)x; }
template <template <class> class P> void all() {
  P<int> a; copied(a);
  P<char> b; constant(b);
  P<float> c; referred(c);
  P<long> d; viewed(d);
  forwarded(P<short>());
  made<P<double>>();
  P<unsigned> e[2]; each(e);
  P<bool> f[2]; viewed_each(f);
  const P<unsigned char> g{}; copied(g);
  const P<unsigned short> h{}; referred(h);
}
int main() { all<Free>(); all<Member>(); }
