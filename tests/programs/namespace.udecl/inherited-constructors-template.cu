// [namespace.udecl] inherited constructors of a dependent base, a template among them
template <class T, int N> __global__ void k() {}
template <class T> struct Base {
  Base(int) { k<T, 1><<<1, 1>>>(); }
  template <class U> Base(U *, T) { k<U, 2><<<1, 1>>>(); }
};
template <class T> struct Derived : Base<T> {
  using Base<T>::Base;
  int member = 0;
};
int main() {
  Derived<float> a(1);
  Derived<double> b((char *)nullptr, 2.0);
}
