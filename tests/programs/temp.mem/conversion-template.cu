// [temp.mem] conversion function templates called by initialization and cast
template <class T, int N> __global__ void k() {}
struct Any {
  template <class T> explicit operator T() const { k<T, 1><<<1, 1>>>(); return T(); }
};
template <int N> struct Ptr {
  template <class T> operator T *() const { k<T, N><<<1, 1>>>(); return nullptr; }
};
int main() {
  Any any;
  auto f = static_cast<float>(any);
  auto i = (int)any;
  const char *p = Ptr<2>{};
  double *d(Ptr<3>{});
}
