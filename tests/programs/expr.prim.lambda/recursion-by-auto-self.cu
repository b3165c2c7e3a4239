// [expr.prim.lambda] lambdas that call themselves through a parameter
template <int N> __global__ void k() {}
template <int N> struct Int { static constexpr int value = N; };
int main() {
  auto walk = [](auto self, auto n) -> void {
    constexpr int v = decltype(n)::value;
    k<v><<<1, 1>>>();
    if constexpr (v > 0) self(self, Int<v / 2>{});
  };
  walk(walk, Int<9>{});
}
