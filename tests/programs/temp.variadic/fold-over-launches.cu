// [temp.variadic] comma folds, left and right, over launches with indices
#include <utility>
template <int N, int I> __global__ void k() {}
template <int N, std::size_t... I> void each(std::index_sequence<I...>) { (k<N, (int)I><<<1, 1>>>(), ...); }
template <int... V> void all() { (..., k<V, V * V><<<1, 1>>>()); }
template <int... V> constexpr int sum = (V + ... + 100);
template <int... V> void total() { k<sum<V...>, sizeof...(V)><<<1, 1>>>(); }
int main() {
  each<3>(std::make_index_sequence<3>{});
  all<4, 5>();
  total<1, 2, 3>();
  total<>();
}
