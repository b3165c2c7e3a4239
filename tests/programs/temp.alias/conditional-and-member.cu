// [temp.alias] aliases of conditional types and of members, dependent
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T>
using accum_t = std::conditional_t<(sizeof(T) < 4), float, std::conditional_t<std::is_same_v<T, int>, long, T>>;
template <class T> using elem_t = typename std::remove_pointer<std::decay_t<T>>::type;
template <class T> void go(const T &) { k<accum_t<elem_t<T>>, 1><<<1, 1>>>(); }
int main() {
  short s[4];
  go(s);
  int *p = nullptr;
  go(p);
  go(2.0);
}
