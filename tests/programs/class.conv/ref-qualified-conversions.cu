// [class.conv] conversion functions chosen by the object's value category
template <class T, int N> __global__ void k() {}
template <class T> struct Lazy {
  operator T() & { k<T, 1><<<1, 1>>>(); return T(); }
  operator T() && { k<T, 2><<<1, 1>>>(); return T(); }
};
template <class T> Lazy<T> lazy() { return {}; }
int main() {
  Lazy<int> a;
  int x = a;
  float y = lazy<float>();
  double z = static_cast<Lazy<double> &&>(*new Lazy<double>);
  char c = Lazy<char>{};
}
