// [temp.class.spec] a last void parameter switches partial specializations on
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T, class = void> struct Loader { static void go() { k<T, 0><<<1, 1>>>(); } };
template <class T> struct Loader<T, std::enable_if_t<std::is_floating_point<T>::value>> {
  static void go() { k<T, 1><<<1, 1>>>(); }
};
template <class T> struct Loader<T, std::void_t<typename T::packed>> { static void go() { k<T, 2><<<1, 1>>>(); } };
template <class T> struct Loader<T, typename std::enable_if<(sizeof(T) < 4) && std::is_integral_v<T>>::type> {
  static void go() { k<T, 3><<<1, 1>>>(); }
};
struct Half2 { using packed = unsigned; };
int main() {
  Loader<double>::go();
  Loader<Half2>::go();
  Loader<short>::go();
  Loader<int>::go();
}
