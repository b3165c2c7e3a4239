// [dcl.struct.bind] a class with tuple_size, tuple_element and get of its own
#include <tuple>
#include <utility>
template <class T, int N> __global__ void k() {}
struct Pair { int a = 1; float b = 2; };
namespace std {
template <> struct tuple_size<Pair> : integral_constant<size_t, 2> {};
template <size_t I> struct tuple_element<I, Pair> { using type = conditional_t<I == 0, long, char>; };
}
template <std::size_t I> auto get(const Pair &) {
  k<void, int(I)><<<1, 1>>>();
  return std::tuple_element_t<I, Pair>(0);
}
template <class T> void go(T) { k<T, 5><<<1, 1>>>(); }
int main() {
  auto [x, y] = Pair{};
  go(x);
  go(y);
}
