// [temp.deduct] enable_if in the result chooses among launchers
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T> std::enable_if_t<std::is_floating_point_v<T>> go(T) { k<T, 1><<<1, 1>>>(); }
template <class T> std::enable_if_t<std::is_integral_v<T> && std::is_signed_v<T>> go(T) { k<T, 2><<<1, 1>>>(); }
template <class T> typename std::enable_if<std::is_unsigned<T>::value, int>::type go(T) {
  k<T, 3><<<1, 1>>>();
  return 0;
}
template <class T> std::enable_if_t<std::is_pointer_v<T>, bool> go(T) {
  k<std::remove_pointer_t<T>, 4><<<1, 1>>>();
  return true;
}
int main() {
  go(1.f);
  go(-1);
  go(7u);
  go((double *)nullptr);
}
