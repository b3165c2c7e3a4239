// [temp.deduct.call] both arguments must deduce the same type
template <class T, int N> __global__ void k() {}
template <class T> void both(T, T) { k<T, 1><<<1, 1>>>(); }
void both(double, double) { k<double, 2><<<1, 1>>>(); }
template <class T> const T &pick(const T &a, const T &) { k<T, 3><<<1, 1>>>(); return a; }
int main() {
  both(1, 2);
  both(1, 2.5);
  both(1.f, 2);
  int i = 0;
  const int c = 1;
  pick(i, c);
  both<long>(1, 2.5f);
}
