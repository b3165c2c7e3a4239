// [class.base.init] a pack of bases initialized by expansion
#include <utility>
template <class T, int N> __global__ void k() {}
template <class T> struct Stage { Stage(int) { k<T, 1><<<1, 1>>>(); } Stage() { k<T, 2><<<1, 1>>>(); } };
template <class... S> struct Pipeline : S... {
  Pipeline() {}
  Pipeline(int n) : S(n)... {}
};
template <int... I> struct Indexed : Stage<char[I]>... {
  explicit Indexed(std::integer_sequence<int, I...>) : Stage<char[I]>(I)... {}
};
int main() {
  Pipeline<Stage<int>, Stage<float>> p(1);
  Pipeline<Stage<double>> q;
  Indexed i(std::integer_sequence<int, 1, 2>{});
}
