// [class.base.init] mem-initializers construct members and bases with the arguments given
template <class T, int N> __global__ void k() {}
template <class T> struct Part {
  Part() { k<T, 0><<<1, 1>>>(); }
  Part(int) { k<T, 1><<<1, 1>>>(); }
  template <class U> Part(U *) { k<U, 2><<<1, 1>>>(); }
};
struct Whole : Part<char>, Part<short> {
  Part<int> a;
  Part<float> b;
  Part<double> c{3};
  Whole() : Part<char>(1), a((long *)nullptr) {}
  Whole(int) : Part<short>{}, b(1), c() {}
};
int main() { Whole w; }
