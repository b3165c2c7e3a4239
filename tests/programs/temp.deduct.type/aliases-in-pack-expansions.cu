// [temp.alias] an alias template in the pattern of an expansion is the type that it stands for
template <class T, int N> __global__ void k() {}
template <class T, T v> struct constant {};
template <int N> using Int = constant<int, N>;
template <bool B> using Bool = constant<bool, B>;
template <class... T> struct Tuple {};
template <class... T> using Shape = Tuple<T...>;
template <class T> using Pointer = T *;
template <int... N> void ints(Tuple<Int<N>...>) { k<int, (N + ... + 0)><<<1, 1>>>(); }
template <bool... B> void flags(Shape<Bool<B>...>) { k<bool, (B + ... + 10)><<<1, 1>>>(); }
template <class... T> void pointers(Shape<Pointer<T>...>) { k<Tuple<T...>, 3><<<1, 1>>>(); }
template <class T, T... v> void values(Shape<constant<T, v>...>) { k<T, sizeof...(v)><<<1, 1>>>(); }
template <class H, int... N> void head(Shape<H, Int<N>...>) { k<H, (N * ... * 1)><<<1, 1>>>(); }
int main() {
  ints(Shape<Int<6>, Int<7>>());
  flags(Tuple<Bool<true>, Bool<false>, Bool<true>>());
  pointers(Shape<char *, short *>());
  values(Tuple<Int<1>, Int<2>, Int<3>>());
  head(Shape<float, Int<3>, Int<5>>());
}
