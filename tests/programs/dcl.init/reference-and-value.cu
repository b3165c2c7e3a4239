// [dcl.init] value, direct, copy and reference initialization call constructors
template <class T, int N> __global__ void k() {}
template <class T> struct V {
  V() { k<T, 0><<<1, 1>>>(); }
  V(int) { k<T, 1><<<1, 1>>>(); }
  explicit V(double) { k<T, 2><<<1, 1>>>(); }
};
int main() {
  V<int> a = 1;
  V<float> b(2.0);
  const V<char> &c = 3;
  V<short> &&d = V<short>();
  auto e = V<long>(1);
  V<double> f = V<double>(2.5);
  V<unsigned>();
  V<bool> never();
}
