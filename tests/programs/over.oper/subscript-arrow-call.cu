// [over.oper] operator[] , -> and () of proxies
template <class T, int N> __global__ void k() {}
template <class T> struct Proxy {
  T v;
  Proxy &operator=(T) { k<T, 1><<<1, 1>>>(); return *this; }
  operator T() const { k<T, 2><<<1, 1>>>(); return v; }
  Proxy &operator+=(T) { k<T, 3><<<1, 1>>>(); return *this; }
};
template <class T> struct Vec {
  Proxy<T> operator[](int) { return {}; }
  Vec *operator->() { k<T, 4><<<1, 1>>>(); return this; }
  void touch() { k<T, 5><<<1, 1>>>(); }
};
int main() {
  Vec<float> v;
  v[0] = 1.f;
  Vec<double> w;
  double d = w[1];
  Vec<int> x;
  x[2] += 3;
  v->touch();
}
