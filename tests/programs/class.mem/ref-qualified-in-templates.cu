// [class.mem] ref-qualified members of class templates defined outside
template <class T, int N> __global__ void k() {}
template <class T> struct Future {
  void get() &;
  void get() const &;
  void get() &&;
};
template <class T> void Future<T>::get() & { k<T, 1><<<1, 1>>>(); }
template <class T> void Future<T>::get() const & { k<T, 2><<<1, 1>>>(); }
template <class T> void Future<T>::get() && { k<T, 3><<<1, 1>>>(); }
template <class T> Future<T> launch() { return {}; }
int main() {
  launch<int>().get();
  Future<float> f;
  f.get();
  const auto &c = f;
  c.get();
}
