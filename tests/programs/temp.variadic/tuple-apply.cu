// [temp.variadic] std::apply and std::get over a tuple of tags
#include <tuple>
template <class T, int N> __global__ void k() {}
template <class T, int N> struct Tag { static void run() { k<T, N><<<1, 1>>>(); } };
template <class Tuple> void run_all(Tuple tuple) {
  std::apply([](auto... tag) { (tag.run(), ...); }, tuple);
}
int main() {
  run_all(std::make_tuple(Tag<int, 1>{}, Tag<float, 2>{}));
  std::tuple<Tag<char, 3>, Tag<short, 4>> two;
  std::get<1>(two).run();
  std::tuple_element_t<0, decltype(two)>::run();
}
