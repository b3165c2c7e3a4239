// [temp.deduct.call] by-value deduction drops const, pointers keep the pointee's
template <class T> __global__ void k() {}
template <class T> void value(T) { k<T><<<1, 1>>>(); }
template <class T> void pointer(T *) { k<T><<<1, 1>>>(); }
template <class T> void to_const(const T *) { k<T *><<<1, 1>>>(); }
int main() {
  const int c = 1;
  const float *p = nullptr;
  const float *const q = nullptr;
  value(c);
  value(p);
  value(q);
  pointer(p);
  to_const(p);
  to_const((double *)nullptr);
}
