// [temp.arg] a structural class as argument whose members steer the launch
// std: c++20
struct TileShape {
  int m, n;
  constexpr int threads() const { return m * n / 4; }
  constexpr TileShape half() const { return {m / 2, n / 2}; }
};
template <int M, int N, int T> __global__ void k() {}
template <TileShape S> void go() {
  k<S.m, S.n, S.threads()><<<1, 1>>>();
  if constexpr (S.m > 32) go<S.half()>();
}
int main() {
  go<TileShape{128, 64}>();
  constexpr TileShape small{.m = 16, .n = 8};
  go<small>();
}
