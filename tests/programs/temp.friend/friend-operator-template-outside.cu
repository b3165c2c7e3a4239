// [temp.friend] a friend operator template declared inside and defined outside the class template
template <class T, int N> __global__ void k() {}
template <class T> struct Vec {
  T *p = nullptr;
  template <class U> friend Vec<U> operator-(const Vec<U> &, const Vec<U> &);
  template <class U, class V> friend void axpby(U, const Vec<V> &);
};
template <class U> Vec<U> operator-(const Vec<U> &a, const Vec<U> &) { k<U, 1><<<1, 1>>>(); return a; }
template <class U, class V> void axpby(U, const Vec<V> &) { k<V, sizeof(U)><<<1, 1>>>(); }
int main() {
  Vec<float> a, b;
  a - b;
  axpby(2.0, a);
}
