// [over.over] a template-id that names one function needs no target
template <class T, int N> __global__ void k() {}
template <class T, int N> void run() { k<T, N><<<1, 1>>>(); }
template <class F> void call(F f) { f(); }
struct S {
  template <int N> static void go() { k<S, N><<<1, 1>>>(); }
  template <int N> void mem() { k<char, N><<<1, 1>>>(); }
};
int main() {
  call(run<float, 1>);
  auto p = &run<int, 2>;
  auto q = S::go<3>;
  auto m = &S::mem<4>;
  call(*run<double, 5>);
  decltype(&run<short, 6>) never = nullptr;
}
