// [basic.lookup.qual] using enum brings enumerators into a class and a block
// std: c++20
template <int N> __global__ void k() {}
enum class Dtype { f16 = 16, f32 = 32, f64 = 64 };
struct Table {
  using enum Dtype;
  static void go() { k<int(f16)><<<1, 1>>>(); }
};
template <Dtype D> void run() {
  using enum Dtype;
  if constexpr (D == f32) k<int(f32)><<<1, 1>>>();
  else k<int(f64) * 2><<<1, 1>>>();
}
int main() {
  Table::go();
  k<int(Table::f64)><<<1, 1>>>();
  run<Dtype::f32>();
  run<Dtype::f16>();
}
