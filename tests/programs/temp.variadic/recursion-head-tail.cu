// [temp.variadic] recursion over a head and a tail, with a base overload
template <class T, int N> __global__ void k() {}
inline void go() { k<void, 0><<<1, 1>>>(); }
template <class H, class... R> void go(H, R... rest) {
  k<H, sizeof...(rest)><<<1, 1>>>();
  go(rest...);
}
template <int N> void count() { k<int, N><<<1, 1>>>(); if constexpr (N > 1) count<N - 1>(); }
int main() {
  go(1, 2.f, 'c');
  count<3>();
}
