// [expr.prim.lambda] lambdas in members capture this and *this
template <class T, int N> __global__ void k() {}
template <class T> struct Op {
  static constexpr int block = sizeof(T) * 32;
  T *p = nullptr;
  template <int N> void launch() const { k<T, N><<<1, 1>>>(); }
  void one() { [this] { launch<1>(); k<decltype(p), block><<<1, 1>>>(); }(); }
  auto two() const { return [*this] { this->template launch<2>(); }; }
  void three() { auto f = [=](auto n) { this->launch<decltype(n)::value>(); }; f(std_three{}); }
  struct std_three { static constexpr int value = 3; };
};
int main() {
  Op<float> op;
  op.one();
  op.two()();
  op.three();
}
