// [temp.inst] the type of a static data member is deduced with its class, by whatever instantiates the class
template <class T, int N> __global__ void k(T) {}
template <class T> struct Kernels {
  static constexpr auto small = k<T, 1>;
  static constexpr void (*big)(T) = &k<T, 2>;
  template <int N> static auto get() { return &k<T, N>; }
  static void plain() {}
  int n = 0;
};
int main() {
  auto a = Kernels<int>::big;
  auto b = Kernels<float>::get<3>();
  Kernels<char>::plain();
  Kernels<short> object;
}
