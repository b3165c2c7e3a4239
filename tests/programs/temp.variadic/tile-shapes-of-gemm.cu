// [temp.variadic] a GEMM's configuration by tuples of static integers: get, append, multiply element by element
template <int M, int N, int K> __global__ void gemm() {}
template <int N> struct Int { static constexpr int value = N; };
template <class... T> struct Shape { static constexpr int rank = sizeof...(T); };
template <int I, class T> struct Get;
template <class H, class... T> struct Get<0, Shape<H, T...>> { using type = H; };
template <int I, class H, class... T> struct Get<I, Shape<H, T...>> : Get<I - 1, Shape<T...>> {};
template <int I, class T> constexpr int get_v = Get<I, T>::type::value;
template <class A, class B> struct Times;
template <int... A, int... B> struct Times<Shape<Int<A>...>, Shape<Int<B>...>> { using type = Shape<Int<A * B>...>; };
template <class T, class... U> struct Append;
template <class... T, class... U> struct Append<Shape<T...>, U...> { using type = Shape<T..., U...>; };
template <class Tile> void launch(Tile) { gemm<get_v<0, Tile>, get_v<1, Tile>, get_v<2, Tile>><<<1, 1>>>(); }
template <int... N> auto halved(Shape<Int<N>...>) { return Shape<Int<N / 2>...>{}; }
int main() {
  using Warp = Shape<Int<2>, Int<4>, Int<1>>;
  using Atom = Shape<Int<16>, Int<8>, Int<8>>;
  launch(Times<Warp, Atom>::type{});
  launch(Append<Shape<Int<64>, Int<64>>, Int<32>>::type{});
  launch(halved(Shape<Int<256>, Int<128>, Int<64>>{}));
}
