// [class.conv] a returned value is converted by a constructor or a conversion function
template <class T, int N> __global__ void k() {}
struct Status {
  Status(int) { k<int, 1><<<1, 1>>>(); }
  template <class T> Status(const T *) { k<T, 2><<<1, 1>>>(); }
};
template <class T> struct Expected {
  T v;
  operator T() && { k<T, 3><<<1, 1>>>(); return v; }
  operator T() const & { k<T, 4><<<1, 1>>>(); return v; }
};
Status one() { return 0; }
Status two(const float *p) { return p; }
double three(Expected<double> e) { return e; }
char four() { return Expected<char>{'a'}; }
