// [temp.arg] template template parameters with non-type parameters, and auto ones
template <class T, int N> __global__ void k() {}
template <int N> struct Fixed { static constexpr int value = N; };
template <int... N> struct List { static constexpr int value = sizeof...(N); };
template <auto N> struct Any { static constexpr int value = N * 10; };
template <template <int> class F, int N> void go() { k<F<N>, F<N>::value><<<1, 1>>>(); }
template <template <int...> class F> void many() { k<F<1, 2, 3>, F<1, 2, 3>::value><<<1, 1>>>(); }
template <template <auto> class F> void autos() { k<F<2>, F<2>::value><<<1, 1>>>(); }
int main() {
  go<Fixed, 5>();
  many<List>();
  autos<Any>();
}
