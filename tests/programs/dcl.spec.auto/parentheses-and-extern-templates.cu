// [dcl.spec.auto] decltype(auto) from an expression in parentheses; an extern template whose return type is deduced
template <class T, int N> __global__ void k() {}
template <class T> void run(T a) {
  decltype(auto) whole = (a);
  k<decltype(whole), 1><<<1, 1>>>();
}
template <class T> auto deduced(T t) { k<T, 3><<<1, 1>>>(); return t; }
template <class T> void written(T) { k<T, 4><<<1, 1>>>(); }
extern template auto deduced(int);
extern template void written(int);
int main() {
  run(1);
  deduced(1);
  written(1);
}
