// [basic.lookup] unqualified names skip a dependent base and find the namespace's
template <class T, int N> __global__ void k() {}
void sync() { k<void, 0><<<1, 1>>>(); }
template <class T> struct Base { void sync() { k<T, 1><<<1, 1>>>(); } };
template <class T> struct Derived : Base<T> {
  void plain() { sync(); }
  void through_this() { this->sync(); }
  void qualified() { Base<T>::sync(); }
};
int main() {
  Derived<int> a;
  a.plain();
  Derived<float> b;
  b.through_this();
  Derived<double> c;
  c.qualified();
}
