// [temp.deduct] kernel templates of one name told apart by enable_if and by their number of parameters
#include <type_traits>
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> __global__ void sum(T *p) {}
template <class T, std::enable_if_t<!std::is_integral_v<T>, int> = 0> __global__ void sum(T *p) {}
template <class T> __global__ void sum(T *p, int n) {}
template <class T, class = std::enable_if_t<(sizeof(T) > 4)>> __global__ void wide(T *p) {}
template <class T> void go(T *p) { sum<<<1, 1>>>(p); sum<T><<<1, 1>>>(p, 2); }
int main() {
  go((int *)nullptr);
  go((float *)nullptr);
  wide<<<1, 1>>>((double *)nullptr);
}
