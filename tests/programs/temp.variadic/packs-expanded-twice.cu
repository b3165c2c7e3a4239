// [temp.variadic] a pack that is expanded within a pattern that names it, too
template <class T, int N> __global__ void k() {}
template <class... T> struct List { static constexpr int n = sizeof...(T); static void go() { (k<T, List<T...>::n><<<1, 1>>>(), ...); } };
template <class A, class B> void one() { k<A, B::n + 10><<<1, 1>>>(); }
template <class... T> void each() { (one<T, List<T...>>(), ...); }
template <class A, class B> __global__ void pair() {}
template <class F, class... Done> void product(F f, List<Done...>) { f(static_cast<Done *>(nullptr)...); }
template <class F, class... Done, class... First, class... Rest> void product(F f, List<Done...>, List<First...>, Rest... rest) {
  (product(f, List<Done..., First>{}, rest...), ...);
}
struct Launch { template <class X, class Y> void operator()(X *, Y *) const { pair<X, Y><<<1, 1>>>(); } };
int main() {
  List<int, float>::go();
  each<char, short, long>();
  product(Launch{}, List<>{}, List<int, char>{}, List<float>{});
}
