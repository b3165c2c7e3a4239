// [temp.deduct.partial] ordering of T&, const T&, T&& for lvalues and rvalues
template <class T, int N> __global__ void k() {}
template <class T> void go(T &) { k<T, 1><<<1, 1>>>(); }
template <class T> void go(const T &) { k<T, 2><<<1, 1>>>(); }
template <class T> void go(T &&) { k<T, 3><<<1, 1>>>(); }
int main() {
  int i = 0;
  const int c = 0;
  go(i);
  go(c);
  go(5);
}
