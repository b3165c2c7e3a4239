// [temp.inst] recursion over growing types ends at a constant
template <class T, int D> __global__ void k() {}
template <class T> struct Wrap {};
template <class T, int D> void nest() {
  k<T, D><<<1, 1>>>();
  if constexpr (D < 3) nest<Wrap<T>, D + 1>();
}
template <int N> struct Tree { static void go() { Tree<N / 2>::go(); Tree<N / 3>::go(); k<int, N><<<1, 1>>>(); } };
template <> struct Tree<0> { static void go() { k<void, 0><<<1, 1>>>(); } };
int main() {
  nest<char, 0>();
  Tree<6>::go();
}
