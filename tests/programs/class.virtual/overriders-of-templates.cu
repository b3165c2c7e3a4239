// [class.virtual] virtual functions of class templates are instantiated with their class's constructor
template <class T, int N> __global__ void k() {}
struct Kernel { virtual void launch() const = 0; virtual int id() const { return 0; } };
template <class T, int N> struct Impl final : Kernel {
  void launch() const override { k<T, N><<<1, 1>>>(); }
  int id() const override { helper<N + 1>(); return 1; }
  template <int M> void helper() const { k<T, M><<<1, 1>>>(); }
  void never() { k<T, -1><<<1, 1>>>(); }
};
template <class T> const Kernel *make(int n) {
  static const Impl<T, 10> a;
  static const Impl<T, 20> b;
  return n ? static_cast<const Kernel *>(&a) : &b;
}
int main(int argc, char **) { make<float>(argc)->launch(); Impl<char, 5> *none = nullptr; }
