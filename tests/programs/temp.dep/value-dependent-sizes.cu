// [temp.dep] sizes and bounds that depend on parameters through several classes
template <class T, int N> __global__ void k() {}
template <class T, int N> struct alignas(sizeof(T) * N) Vec { T v[N]; };
template <class T> struct VecTraits {
  static constexpr int bytes = sizeof(T) >= 4 ? 16 : 8;
  static constexpr int n = bytes / sizeof(T);
  using type = Vec<T, n>;
};
template <class T> void go() {
  using V = typename VecTraits<T>::type;
  k<V, sizeof(V) + alignof(V)><<<1, 1>>>();
  k<T, sizeof(V::v) / sizeof(V::v[0])><<<1, 1>>>();
}
int main() {
  go<float>();
  go<short>();
  go<double>();
}
