// [class.derived] kernels launched by functions in alias, base and parameter types of instantiated classes
template <class T, int N> __global__ void k() {}
template <class T> struct Launch { Launch() { k<T, 1><<<1, 1>>>(); } static int go() { k<T, 2><<<1, 1>>>(); return 0; } };
template <class T> struct Holder {
  using alias = Launch<T>;
  struct Part : Launch<T *> {};
  void take(Launch<T **>) {}
  Launch<const T> make() { return {}; }
};
int main() {
  Holder<int> h;
  Holder<int>::alias::go();
  Holder<float>::Part p;
  h.take({});
  Holder<char>{}.make();
}
