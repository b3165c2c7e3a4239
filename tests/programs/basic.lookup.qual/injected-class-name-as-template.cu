// [basic.lookup.qual] the injected class name of a class template used as a type and as a template argument
template <class T, int N> __global__ void k() {}
template <template <class> class C> void by_template() { k<C<int>, 1><<<1, 1>>>(); }
template <class T> struct Grid {
  void self() { k<Grid, 2><<<1, 1>>>(); }
  void other() { k<Grid<char>, 3><<<1, 1>>>(); by_template<Grid>(); }
  void full() { k<typename Grid::Grid, 4><<<1, 1>>>(); }
};
int main() {
  Grid<float> g;
  g.self();
  g.other();
}
