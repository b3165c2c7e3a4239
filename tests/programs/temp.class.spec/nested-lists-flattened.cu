// [temp.class.spec.match] type lists: concatenated, mapped, searched and flattened by partial specializations
template <class T, int N> __global__ void k() {}
template <class... T> struct L {};
template <int N> struct Int {};
template <class... T> struct Cat;
template <class... A> struct Cat<L<A...>> { using type = L<A...>; };
template <class... A, class... B, class... R> struct Cat<L<A...>, L<B...>, R...> { using type = typename Cat<L<A..., B...>, R...>::type; };
template <template <class...> class F, class T> struct Map;
template <template <class...> class F, class... T> struct Map<F, L<T...>> { using type = L<F<T>...>; };
template <class T, class U> struct Index { static constexpr int value = -1; };
template <class T, class... R> struct Index<T, L<T, R...>> { static constexpr int value = 0; };
template <class T, class H, class... R> struct Index<T, L<H, R...>> { static constexpr int value = 1 + Index<T, L<R...>>::value; };
template <class T> struct Flat { using type = L<T>; };
template <class... T> struct Flat<L<T...>> { using type = typename Cat<L<>, typename Flat<T>::type...>::type; };
template <class T> struct Depths;
template <class... T, int... N> struct Depths<L<L<T, Int<N>>...>> { using type = L<T...>; static constexpr int sum = (N + ... + 0); };
int main() {
  k<Cat<L<int>, L<float, char>, L<>>::type, 1><<<1, 1>>>();
  k<Map<L, L<int, float>>::type, 2><<<1, 1>>>();
  k<int, Index<char, L<int, float, char, long>>::value><<<1, 1>>>();
  k<Flat<L<int, L<float, L<char>>, L<>>>::type, 4><<<1, 1>>>();
  k<Depths<L<L<int, Int<3>>, L<char, Int<4>>>>::type, Depths<L<L<int, Int<3>>, L<char, Int<4>>>>::sum><<<1, 1>>>();
}
