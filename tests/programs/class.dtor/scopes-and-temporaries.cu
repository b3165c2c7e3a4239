// [class.dtor] destructors at the end of a block, of temporaries and of by-value parameters
template <class T, int N> __global__ void k() {}
template <class T> struct Guard { Guard() {} ~Guard() { k<T, 1><<<1, 1>>>(); } int get() const { return 1; } };
void by_value(Guard<char>) {}
Guard<short> make() { return {}; }
int use(const Guard<long> &) { return 0; }
int main() {
  { Guard<int> g; }
  Guard<float>().get();
  by_value({});
  make();
  use(Guard<long>{});
  if (Guard<double> g{}; g.get()) {}
}
