// [temp.variadic] specializations that differ only in which elements are of which pack
template <int N, class T> __global__ void k() {}
template <int... I> struct Seq {};
template <class... T> struct Tuple {};
struct Old {};
struct New {};
template <int I> constexpr Old get(Tuple<Old>) { return {}; }
template <class... T> constexpr Tuple<T...> make(T...) { return {}; }
template <class X, int... I, int... J, int... K>
constexpr auto construct(Tuple<Old> t, X x, Seq<I...>, Seq<J...>, Seq<K...>) {
  return make(get<I>(t)..., (void(J), x)..., get<K>(t)...);
}
template <class X> constexpr auto prepend(Tuple<Old> t, X x) { return construct(t, x, Seq<>{}, Seq<0>{}, Seq<0>{}); }
template <class X> constexpr auto append(Tuple<Old> t, X x) { return construct(t, x, Seq<0>{}, Seq<0>{}, Seq<>{}); }
template <class... A, class... B> void launch(Tuple<A...>, Tuple<B...>) { k<sizeof...(A), Tuple<B...>><<<1, 1>>>(); }
template <class... A, class... B> constexpr int count(Tuple<A...>, Tuple<B...>) { return 10 * sizeof...(A) + sizeof...(B); }
int main() {
  k<10, decltype(prepend(Tuple<Old>{}, New{}))><<<1, 1>>>();
  k<11, decltype(append(Tuple<Old>{}, New{}))><<<1, 1>>>();
  launch(Tuple<int, char>{}, Tuple<short>{});
  launch(Tuple<int>{}, Tuple<char, short>{});
  launch(Tuple<>{}, Tuple<int, char, short>{});
  k<count(Tuple<int>{}, Tuple<char, short>{}), int><<<1, 1>>>();
  k<count(Tuple<int, char>{}, Tuple<short>{}), int><<<1, 1>>>();
}
