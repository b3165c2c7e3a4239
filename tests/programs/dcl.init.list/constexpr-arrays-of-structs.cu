// [dcl.init.list] a constexpr array of structs read in template arguments
template <int M, int N> __global__ void k() {}
struct Tile { int m, n; bool split; };
constexpr Tile tiles[] = {{64, 64, false}, {128, 32, true}, {256, 16}};
template <int I> void go() {
  k<tiles[I].m, tiles[I].split ? tiles[I].n / 2 : tiles[I].n><<<1, 1>>>();
  if constexpr (I + 1 < sizeof(tiles) / sizeof(tiles[0])) go<I + 1>();
}
int main() { go<0>(); }
