// [expr.prim.lambda] immediately called lambdas initialize variables, members and constants
template <int N> __global__ void k() {}
template <class T> struct Plan {
  int n = [] { k<int(sizeof(T))><<<1, 1>>>(); return 1; }();
};
const int at_start = [] { k<100><<<1, 1>>>(); return 3; }();
template <bool B> void run() {
  const auto value = [&] {
    if constexpr (B) { k<1><<<1, 1>>>(); return 1; }
    else { k<2><<<1, 1>>>(); return 2.0; }
  }();
  k<sizeof(value) * 1000><<<1, 1>>>();
}
int main() {
  Plan<short> plan;
  run<true>();
  run<false>();
}
