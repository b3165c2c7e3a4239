// [expr.const] a constexpr table of launchers indexed by a constant
template <int N> __global__ void k() {}
template <int N> void run() { k<N><<<1, 1>>>(); }
using fn = void (*)();
constexpr fn table[] = {run<1>, run<2>, nullptr};
constexpr bool has(int i) { return table[i] != nullptr; }
template <int I> void call() {
  if constexpr (has(I)) table[I]();
  else k<100 + I><<<1, 1>>>();
}
int main() {
  call<0>();
  call<2>();
}
