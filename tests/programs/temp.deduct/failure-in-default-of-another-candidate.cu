// [temp.deduct] a default argument that rules out one candidate of a call does not make the expression invalid
template <int N, class T> __global__ void k() {}
template <class T> T &&value();
struct Nothing { };
struct Twice { float operator()(float) const; };
template <bool B> struct enable_if { };
template <> struct enable_if<true> { using type = int; };
template <class T> struct is_member { static constexpr bool value = false; };
template <class F, class = typename enable_if<is_member<F>::value>::type> Nothing invoke(F f, float a);
template <class F, class A> float invoke(F f, A a);
template <class F, class A> struct result {
  template <class X, class Y> static decltype(invoke(value<X>(), value<Y>())) test(int);
  template <class X, class Y> static Nothing test(...);
  using type = decltype(test<F, A>(0));
};
template <class F> decltype(invoke(value<F>(), value<float>())) called(F);
int main() {
  k<1, result<Twice, float>::type><<<1, 1>>>();
  k<2, decltype(called(Twice()))><<<1, 1>>>();
}
