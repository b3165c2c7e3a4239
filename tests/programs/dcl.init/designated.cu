// [dcl.init] designated initializers give parameters their values
// std: c++20
template <int M, int N, int S> __global__ void k() {}
struct Opt { int m = 16; int n = 32; int stages = 2; };
template <Opt O> void run() { k<O.m, O.n, O.stages><<<1, 1>>>(); }
constexpr Opt tall{.m = 128};
struct Run { int *p = nullptr; void (*f)() = nullptr; };
void call(const Run &r) { r.f(); }
template <int N> void go() { k<N, N, N><<<1, 1>>>(); }
int main() {
  run<tall>();
  run<Opt{.n = 8, .stages = 5}>();
  call({.f = go<7>});
}
