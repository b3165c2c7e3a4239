// [temp.arg] values of literal class types as arguments
// std: c++20
template <int N> __global__ void k() {}
struct Shape { int m, n; constexpr int area() const { return m * n; } constexpr bool operator==(const Shape &) const = default; };
template <Shape S> struct Tile {
  static void go() { k<S.area()><<<1, 1>>>(); }
  using half = Tile<Shape{S.m / 2, S.n}>;
};
template <> struct Tile<Shape{1, 1}> { static void go() { k<-1><<<1, 1>>>(); } };
int main() {
  Tile<Shape{8, 4}>::go();
  Tile<Shape{8, 4}>::half::go();
  Tile<Shape{2, 1}>::half::go();
}
