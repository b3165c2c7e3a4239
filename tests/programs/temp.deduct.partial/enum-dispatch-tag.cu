// [temp.deduct.partial] integral constants as tags, one overload for a fixed value
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T> void impl(T, std::true_type) { k<T, 1><<<1, 1>>>(); }
template <class T> void impl(T, std::false_type) { k<T, 0><<<1, 1>>>(); }
template <class T> void go(T v) { impl(v, std::is_floating_point<T>{}); }
template <class T> void go2(T v) { impl(v, std::bool_constant<(sizeof(T) > 4)>{}); }
int main() {
  go(1);
  go(2.f);
  go2('c');
  go2(2.0);
}
