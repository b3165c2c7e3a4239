// [temp.variadic] a pack of values in a class template whose member picks one
template <int N> __global__ void k() {}
template <int I, int... N> struct At;
template <int H, int... R> struct At<0, H, R...> { static constexpr int value = H; };
template <int I, int H, int... R> struct At<I, H, R...> : At<I - 1, R...> {};
template <int... N> struct Shape {
  template <int I> static constexpr int at = At<I, N...>::value;
  static constexpr int rank = sizeof...(N);
  static constexpr int size = (N * ... * 1);
  static void go() { k<at<rank - 1>><<<1, 1>>>(); k<size><<<1, 1>>>(); }
};
int main() {
  Shape<2, 3, 7>::go();
  k<Shape<5, 6>::at<0>><<<1, 1>>>();
}
