// [temp.names] a `<` behind the name of a variable or a parameter compares, whatever closes behind it
template <int N, class T> __global__ void k() {}
template <int V> struct C {};
struct Yes {};
struct No {};
template <int A, int B> constexpr C<(A < B)> operator<(C<A>, C<B>) { return {}; }
template <class T, class F> constexpr auto pick(C<1>, T, F) { return T{}; }
template <class T, class F> constexpr auto pick(C<0>, T, F f) { return f; }
template <class A, class B> constexpr auto smaller(A const &a, B const &b) { return pick(a < b, a, C<7>{}); }
template <class A, class B> constexpr auto by_value(A a, B b) { return pick(a < b, C<5>{}, a); }
template <int A, int B> constexpr auto of_constants(C<A> a, C<B> b) { return pick(a < b, Yes{}, C<9>{}); }
constexpr auto in_a_block() {
  C<4> four;
  const C<6> six{};
  if (true) {
    auto again = six;
    return pick(again < four, Yes{}, C<2>{});
  }
}
template <class... T> constexpr auto in_a_lambda(T... values) {
  return [&](auto const &one, auto const &other) { return pick(one < other, Yes{}, C<8>{}); }(values...);
}
template <int N> constexpr int four() { return 4 + N; }
namespace other {
template <int N> constexpr C<N> value() { return {}; }
template <class T> constexpr auto call(T value_of) { int sum = value_of < 3; return value<4>(); }
}
constexpr bool both(int a, int b, int c, int d) { return a < b, c > d; }
int main() {
  k<1, decltype(smaller(C<1>{}, C<2>{}))><<<1, 1>>>();
  k<2, decltype(smaller(C<2>{}, C<1>{}))><<<1, 1>>>();
  k<3, decltype(by_value(C<1>{}, C<2>{}))><<<1, 1>>>();
  k<4, decltype(of_constants(C<1>{}, C<2>{}))><<<1, 1>>>();
  k<5, decltype(of_constants(C<3>{}, C<2>{}))><<<1, 1>>>();
  k<6, decltype(in_a_block())><<<1, 1>>>();
  k<7, decltype(in_a_lambda(C<1>{}, C<2>{}))><<<1, 1>>>();
  k<four<2>(), C<3>><<<1, 1>>>();
  k<8, decltype(other::call(1))><<<1, 1>>>();
  k<both(1, 2, 4, 3) ? 10 : 11, int><<<1, 1>>>();
}
