// [stmt.if] conditions of constexpr lambdas and variables, of template arguments' members
template <int N> __global__ void k() {}
struct Fast { static constexpr bool use_tma = true; static constexpr int stages() { return 4; } };
struct Slow { static constexpr bool use_tma = false; static constexpr int stages() { return 1; } };
template <class P> void go() {
  constexpr auto deep = [](int s) { return s > 2; };
  if constexpr (P::use_tma && deep(P::stages())) k<P::stages() * 10><<<1, 1>>>();
  else k<P::stages()><<<1, 1>>>();
}
int main() {
  go<Fast>();
  go<Slow>();
}
