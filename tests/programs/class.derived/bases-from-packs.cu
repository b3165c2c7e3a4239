// [class.derived] base classes from packs with using-declarations of each
template <class T, int N> __global__ void k() {}
template <class T, int N> struct Slot { void run(T *) { k<T, N><<<1, 1>>>(); } };
template <class... S> struct Slots : S... { using S::run...; };
int main() {
  Slots<Slot<int, 1>, Slot<float, 2>, Slot<double, 3>> s;
  float *f = nullptr;
  s.run(f);
  double *d = nullptr;
  s.run(d);
}
