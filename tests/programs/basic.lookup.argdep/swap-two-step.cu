// [basic.lookup.argdep] using a fallback and calling unqualified picks the type's own overload
template <class T, int N> __global__ void k() {}
namespace generic { template <class T> void swap(T &, T &) { k<T, 0><<<1, 1>>>(); } }
namespace tensor {
struct View {};
void swap(View &, View &) { k<View, 1><<<1, 1>>>(); }
}
template <class T> void exchange(T &a, T &b) {
  using generic::swap;
  swap(a, b);
}
int main() {
  tensor::View v, w;
  exchange(v, w);
  int i = 0, j = 1;
  exchange(i, j);
}
