// [basic.lookup] a friend function template defined in a class is found by arguments only
template <class T, int N> __global__ void k(T *p) {}
template <class T> struct Array {
  T *p = nullptr;
  friend void zero(Array &a) { k<T, 0><<<1, 1>>>(a.p); }
  template <class U> friend void copy(Array &a, U *from) { k<U, 1><<<1, 1>>>(from); }
};
template <class U> void copy(U *a, U *from) { k<U, 2><<<1, 1>>>(from); }
int main() {
  Array<float> a;
  zero(a);
  copy(a, (int *)nullptr);
  copy((char *)nullptr, (char *)nullptr);
}
