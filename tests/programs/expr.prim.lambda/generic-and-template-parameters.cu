// [expr.prim.lambda] generic lambdas with template parameters, values and constraints
// std: c++20
template <class T, int N> __global__ void k() {}
template <int N> struct Int {};
int main() {
  auto a = []<class T>(T *) { k<T, 1><<<1, 1>>>(); };
  a((float *)nullptr);
  auto b = []<int N>(Int<N>) { k<void, N><<<1, 1>>>(); };
  b(Int<7>{});
  auto c = []<class T>() { k<T, 3><<<1, 1>>>(); };
  c.operator()<double>();
  auto d = [](auto... v) { (k<decltype(v), 4><<<1, 1>>>(), ...); };
  d('c', 1u);
  auto e = []<class T, int N>(const T (&)[N]) { k<T, N><<<1, 1>>>(); };
  e("four");
}
