// [temp.inst] static members of class templates are instantiated when used
template <class T, int N> __global__ void k() {}
template <class T> int start() { k<T, 1><<<1, 1>>>(); return 0; }
template <class T> struct R { static int used; static inline int lazy = start<T *>(); };
template <class T> int R<T>::used = start<T>();
int main() {
  R<int>::used = 1;
  R<float> r;
  int x = R<double>::lazy;
}
