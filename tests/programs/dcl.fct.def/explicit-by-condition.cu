// [dcl.fct.def] explicit(condition) decides which constructor converts
// std: c++20
template <class T, int N> __global__ void k() {}
template <class T> struct Wrap {
  template <class U> explicit(sizeof(U) > 4) Wrap(U) { k<U, 1><<<1, 1>>>(); }
  Wrap(long double) { k<T, 2><<<1, 1>>>(); }
};
void take(Wrap<char>) {}
int main() {
  take(1);
  take(2.0f);
  take(3.0);
  Wrap<short> direct(4.0);
}
