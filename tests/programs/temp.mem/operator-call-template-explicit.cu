// [temp.mem] operator() templates called with explicit arguments, by name and through a pointer
template <class T, int N> __global__ void k() {}
struct Launch {
  template <class T> void operator()() const { k<T, 1><<<1, 1>>>(); }
  template <int N> void operator()(float) const { k<float, N><<<1, 1>>>(); }
};
template <class L> void drive(const L &l, const L *p) {
  l.template operator()<int>();
  p->template operator()<5>(1.f);
  (*p).template operator()<char>();
}
int main() {
  Launch l;
  l.operator()<double>();
  drive(l, &l);
}
