// [class.ctor] a base's constructor launches by the derived class's type
template <class T, int N> __global__ void k() {}
template <class D> struct Registered {
  Registered() { D::template launch<D::id>(); }
};
struct Relu : Registered<Relu> {
  static constexpr int id = 3;
  template <int N> static void launch() { k<Relu, N><<<1, 1>>>(); }
};
template <class T> struct Gelu : Registered<Gelu<T>> {
  static constexpr int id = 4;
  template <int N> static void launch() { k<T, N><<<1, 1>>>(); }
};
Relu relu;
int main() { Gelu<float> gelu; }
