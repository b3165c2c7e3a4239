// [temp.variadic] an expansion within the pattern of another one, whose packs are its own
template <class... T> struct tuple { constexpr tuple(T const &...) {} constexpr tuple() {} };
template <class... T> constexpr tuple<T...> make_tuple(T const &...) { return {}; }
template <int I, class T> struct elem;
template <int I, class H, class... T> struct elem<I, tuple<H, T...>> : elem<I - 1, tuple<T...>> {};
template <class H, class... T> struct elem<0, tuple<H, T...>> { using type = H; };
template <int I, class T> constexpr typename elem<I, T>::type get(T const &) { return {}; }
template <int... I> struct seq {};
template <int J, class... Ts> constexpr auto zip_(Ts const &...ts) { return make_tuple(get<J>(ts)...); }
template <class T, int... Is, int... Js> constexpr auto zip(T const &t, seq<Is...>, seq<Js...>) { return make_tuple(zip_<Js>(get<Is>(t)...)...); }
struct A {}; struct B {}; struct C {}; struct D {};
template <int N, class T> __global__ void k(T) {}
template <class... A> constexpr int count(A...) { return sizeof...(A); }
template <int... Is, int... Js> constexpr int sum(seq<Is...>, seq<Js...>) { return count((Js + count(Is...))...) * 10 + count(Is...); }
void f() {
  k<1><<<1, 1>>>(zip(tuple<tuple<A, B>, tuple<C, D>>{}, seq<0, 1>{}, seq<0, 1>{}));
  k<2><<<1, 1>>>(zip(tuple<tuple<A, B, C>, tuple<C, D, A>>{}, seq<0, 1>{}, seq<0, 1, 2>{}));
  k<sum(seq<1, 2>{}, seq<3, 4>{})><<<1, 1>>>(A{});
  k<sum(seq<1, 2, 3>{}, seq<3, 4>{})><<<1, 1>>>(A{});
}
