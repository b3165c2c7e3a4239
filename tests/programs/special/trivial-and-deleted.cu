// [special] deleted and trivial special members leave other paths
#include <type_traits>
#include <utility>
template <class T, int N> __global__ void k() {}
struct MoveOnly {
  MoveOnly() = default;
  MoveOnly(MoveOnly &&) { k<MoveOnly, 1><<<1, 1>>>(); }
  MoveOnly(const MoveOnly &) = delete;
};
template <class T> void store(T &&v) {
  if constexpr (std::is_copy_constructible_v<std::decay_t<T>>) k<std::decay_t<T>, 2><<<1, 1>>>();
  else { std::decay_t<T> copy(std::forward<T>(v)); k<std::decay_t<T>, 3><<<1, 1>>>(); }
}
template <class T> void size_class() {
  k<T, std::is_trivially_copyable<T>::value * 10 + std::is_empty_v<T>><<<1, 1>>>();
}
int main() {
  store(MoveOnly{});
  int i = 0;
  store(i);
  size_class<MoveOnly>();
  size_class<float4>();
}
