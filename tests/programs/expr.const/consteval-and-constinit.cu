// [expr.const] consteval functions and constinit variables
// std: c++20
template <int A> __global__ void k() {}
consteval int warps(int threads) { return (threads + 31) / 32; }
constinit int runtime = warps(100);
template <int T> void go() { k<warps(T)><<<1, 1>>>(); }
struct Shape { int m; consteval Shape(int v) : m(v * v) {} };
int main() {
  go<100>();
  k<Shape(5).m><<<1, 1>>>();
}
