// [temp.variadic] several packs deduced from class templates
template <class T, int N> __global__ void k() {}
template <class... T> struct List {};
template <class... A, class... B> void zip(List<A...>, List<B...>) { (k<A, sizeof(B)><<<1, 1>>>(), ...); }
template <class F, class... R> void each(List<F, R...>) { k<F, sizeof...(R)><<<1, 1>>>(); if constexpr (sizeof...(R) > 0) each(List<R...>{}); }
int main() {
  zip(List<int, char>{}, List<double, short>{});
  each(List<float, long, char *>{});
}
