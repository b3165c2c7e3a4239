// [temp.variadic] a table of function pointers made by expanding a pack
#include <utility>
template <int N> __global__ void k() {}
template <int N> void launch() { k<N><<<1, 1>>>(); }
using fn = void (*)();
template <std::size_t... I> void dispatch(int n, std::index_sequence<I...>) {
  static constexpr fn table[] = {&launch<int(I) * 32>...};
  table[n]();
}
int main(int argc, char **) { dispatch(argc, std::make_index_sequence<4>{}); }
