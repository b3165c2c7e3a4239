// [temp.constr] constrained kernel templates of one name
// std: c++20
#include <type_traits>
template <class T> requires std::is_integral_v<T> __global__ void hist(T *p) {}
template <class T> requires std::is_floating_point_v<T> __global__ void hist(T *p) {}
template <class T, int N> requires(N > 0) __global__ void pad(T *p) {}
template <class T> void go(T *p) {
  hist<<<1, 1>>>(p);
  pad<T, sizeof(T)><<<1, 1>>>(p);
}
int main() {
  go((int *)nullptr);
  go((double *)nullptr);
}
