// [temp.deduct.guide] deduction guides before and after constructors
template <class T> __global__ void k() {}
template <class A, class B> struct Both {
  Both(A, B) {}
  void go() { k<Both><<<1, 1>>>(); }
};
template <class A> Both(A, const char *) -> Both<A, long>;
template <class T> struct Range {
  template <class I> Range(I, I) {}
  void go() { k<T><<<1, 1>>>(); }
};
template <class I> Range(I *, I *) -> Range<I>;
int main() {
  Both(1, 2.0f).go();
  long n = 0;
  Both b('c', n);
  b.go();
  float *p = nullptr;
  Range(p, p).go();
  Range<int>(1, 2).go();
}
