// [temp.explicit] a single member of a class template is instantiated explicitly
template <class T, int N> __global__ void k() {}
template <class T> struct Solver {
  void setup() { k<T, 1><<<1, 1>>>(); }
  void solve() { k<T, 2><<<1, 1>>>(); }
  template <class V> void apply(V *) { k<V, 3><<<1, 1>>>(); }
  static int calls;
};
template void Solver<float>::solve();
template void Solver<int>::apply(double *);
template void Solver<int>::apply<char>(char *);
