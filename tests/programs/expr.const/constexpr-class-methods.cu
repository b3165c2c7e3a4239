// [expr.const] constexpr objects with constructors, methods, operators and nested objects
template <int A, int B> __global__ void k() {}
struct Dim {
  int x, y;
  constexpr Dim(int x, int y = 1) : x(x), y(y) {}
  constexpr Dim operator*(int f) const { return {x * f, y * f}; }
  constexpr int area() const { return x * y; }
};
struct Tile {
  Dim block{16, 8};
  int stages = 3;
  constexpr Tile with(int s) const { Tile t = *this; t.stages = s; return t; }
};
constexpr Tile base{};
constexpr Tile deep = base.with(5);
constexpr Dim big = base.block * 4;
int main() {
  k<deep.stages, deep.block.area()><<<1, 1>>>();
  k<big.x, (big * 2).area()><<<1, 1>>>();
}
