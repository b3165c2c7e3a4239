// [temp.deduct.call] function parameter packs whose pattern is a template-id, by value, reference and pointer
template <class T, int N> __global__ void k() {}
template <class... T> struct P {};
template <class T, int N> struct Tile { T *data; };
template <class... T, int... N> void by_value(Tile<T, N>...) { (k<T, N><<<1, 1>>>(), ...); }
template <class... T, int... N> void by_reference(const Tile<T, N> &...) { k<P<T...>, (N + ... + 0)><<<1, 1>>>(); }
template <class T, int... N> void by_pointer(Tile<T, N> *...) { k<T, 100 + sizeof...(N)><<<1, 1>>>(); }
template <class... L> struct Lists {};
template <class... A, class... B> void lists(P<A...>, P<B...>) { k<P<B..., A...>, sizeof...(A)><<<1, 1>>>(); }
template <class F, class... T, int N> void mixed(F, Tile<T, N>...) { k<P<F, T...>, N><<<1, 1>>>(); }
int main() {
  Tile<int, 2> i{}; Tile<float, 3> f{}; Tile<int, 4> j{};
  by_value(i, f);
  by_reference(i, f, j);
  by_pointer(&i, &j);
  lists(P<char>(), P<short, long>());
  mixed(1.0, Tile<char, 9>{}, Tile<short, 9>{});
}
