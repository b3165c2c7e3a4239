// [temp.explicit] a constructor template and an operator are instantiated explicitly
template <class T, int N> __global__ void k() {}
struct Any {
  template <class T> Any(T *) { k<T, 1><<<1, 1>>>(); }
  template <class T> void operator()(T) const { k<T, 2><<<1, 1>>>(); }
};
template Any::Any(float *);
template void Any::operator()<int>(int) const;
template <class T> struct Wrap { Wrap() { k<T, 3><<<1, 1>>>(); } Wrap(const Wrap &) { k<T, 4><<<1, 1>>>(); } };
template Wrap<char>::Wrap();
