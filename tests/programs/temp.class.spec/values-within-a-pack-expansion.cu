// [temp.class.spec.match] partial specializations whose last argument is a pack of template-ids
template <class T, int N> __global__ void k() {}
template <int N> struct Int {};
template <class T, int N> struct Box {};
template <class... T> struct P {};
template <class T> struct Sum { static constexpr int value = -1; };
template <int... N> struct Sum<P<Int<N>...>> { static constexpr int value = (N + ... + 0); };
template <class T, int... N> struct Sum<P<Box<T, N>...>> { static constexpr int value = 1000 + sizeof(T) * sizeof...(N); };
template <class T> struct Heads { using type = void; };
template <class... T, int... N> struct Heads<P<Box<T, N>...>> { using type = P<T...>; };
template <class T> struct Unpack;
template <template <class> class... F, class... T> struct Unpack<P<F<T>...>> { using type = P<T...>; static constexpr int n = sizeof...(F); };
template <class T> struct One {};
template <class T> struct Two {};
int main() {
  k<int, Sum<P<Int<3>, Int<4>>>::value><<<1, 1>>>();
  k<int, Sum<P<Int<3>, float>>::value><<<1, 1>>>();
  k<int, Sum<P<Box<double, 3>, Box<double, 9>>>::value><<<1, 1>>>();
  k<int, Sum<P<Box<double, 3>, Box<float, 9>>>::value><<<1, 1>>>();
  k<Heads<P<Box<char, 1>, Box<short, 2>>>::type, 0><<<1, 1>>>();
  k<Unpack<P<One<int>, Two<float>>>::type, Unpack<P<One<int>, Two<float>>>::n><<<1, 1>>>();
}
