// [temp.deduct.type] tuples of static integers, nested, as layouts of tensors are written
#include <cstddef>
template <int Size, int Rank> __global__ void k() {}
template <class T, T v> struct C { static constexpr T value = v; };
template <int v> using Int = C<int, v>;
template <class... T> struct Tuple {};
template <class... T> using Shape = Tuple<T...>;
template <class... T> using Stride = Tuple<T...>;
template <class S, class D> struct Layout {};
template <int N> constexpr int product(Int<N>) { return N; }
template <class... T> constexpr int product(Tuple<T...>) { return (product(T{}) * ... * 1); }
template <class S> constexpr int size_v = product(S{});
template <int... S, int... D> void flat(Layout<Shape<Int<S>...>, Stride<Int<D>...>>) {
  k<(S * ... * 1), (D + ... + 0)><<<1, 1>>>();
}
template <class... S, class D> void nested(Layout<Shape<S...>, D>) { k<size_v<Shape<S...>>, sizeof...(S)><<<1, 1>>>(); }
template <class... S, class... D> void zipped(Layout<Shape<S...>, Stride<D...>>) { (k<S::value, D::value + 1000><<<1, 1>>>(), ...); }
int main() {
  flat(Layout<Shape<Int<16>, Int<8>>, Stride<Int<1>, Int<16>>>());
  nested(Layout<Shape<Shape<Int<2>, Int<3>>, Int<5>>, Stride<Int<1>>>());
  zipped(Layout<Shape<Int<4>, Int<6>>, Stride<Int<1>, Int<4>>>());
}
