// [cpp20] structural class arguments that hold enums, arrays and nested structures
// std: c++20
template <int A, int B> __global__ void k() {}
enum class Layout { row, col };
struct Stride { int v[2]; bool operator==(const Stride &) const = default; };
struct Desc { Layout layout = Layout::row; Stride stride{{1, 2}}; bool operator==(const Desc &) const = default; };
template <Desc D> struct Gemm {
  static constexpr int first = D.layout == Layout::col ? D.stride.v[1] : D.stride.v[0];
  static void go() { k<first, D == Desc{}><<<1, 1>>>(); }
};
int main() {
  Gemm<Desc{}>::go();
  Gemm<Desc{Layout::col, {{3, 4}}}>::go();
}
