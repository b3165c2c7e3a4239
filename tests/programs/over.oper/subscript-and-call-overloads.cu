// [over.oper] subscript and call operators overloaded by constness and value category
template <class T, int N> __global__ void k() {}
template <class T> struct View {
  T &operator[](int) & { k<T, 1><<<1, 1>>>(); static T t; return t; }
  const T &operator[](int) const & { k<T, 2><<<1, 1>>>(); static T t; return t; }
  void operator()(int) && { k<T, 3><<<1, 1>>>(); }
  void operator()(int) & { k<T, 4><<<1, 1>>>(); }
};
int main() {
  View<int> v;
  v[0] = 1;
  const View<float> c{};
  c[1];
  View<double>{}(1);
  v(2);
}
