// [cpp17] nested namespace definitions, attributes on functions, statements and enumerators
template <int N> __global__ void k() {}
namespace lib::ops::detail {
enum Mode { plain [[deprecated]] = 1, fast [[maybe_unused]] = 2 };
template <int N> [[nodiscard]] inline int run() { k<N><<<1, 1>>>(); return N; }
[[gnu::noinline]] void other(int n) {
  switch (n) {
  case 1: k<fast * 10><<<1, 1>>>(); [[fallthrough]];
  default: k<20><<<1, 1>>>();
  }
}
}
int main() { [[maybe_unused]] auto r = lib::ops::detail::run<3>(); }
