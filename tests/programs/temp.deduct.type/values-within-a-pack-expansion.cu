// [temp.deduct.type] a pack of values is deduced from the arguments of a pack of template-ids
template <int N> __global__ void k() {}
template <int N> struct Int {};
template <class... T> struct P {};
template <int... N> void f(P<Int<N>...>) { k<(N + ... + 1)><<<1, 1>>>(); }
template <int... N> void each(P<Int<N>...>) { (k<100 + N><<<1, 1>>>(), ...); }
template <int... N> void at_end(P<float, Int<N>...>) { k<200 + sizeof...(N)><<<1, 1>>>(); }
int main() {
  f(P<Int<2>, Int<5>, Int<7>>());
  f(P<>());
  each(P<Int<1>, Int<3>>());
  at_end(P<float, Int<4>, Int<5>>());
}
