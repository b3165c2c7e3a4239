// [temp.spec] a class template's members are instantiated when they are used, its declarations when the class is
template <class T, int N> __global__ void k() {}
template <class T> struct Op {
  void used() { k<T, 1><<<1, 1>>>(); }
  void unused() { k<T, 2><<<1, 1>>>(); }
  static void also() { k<T, 3><<<1, 1>>>(); }
  using fn = void (*)();
  static constexpr fn table[] = {&Op::also};
  virtual void virt() { k<T, 4><<<1, 1>>>(); }
};
int main() {
  Op<float> op;
  op.used();
  Op<int> *none = nullptr;
  sizeof(Op<double>);
}
