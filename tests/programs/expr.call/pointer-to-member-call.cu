// [expr.call] calls through pointers to members, .* and ->*, in tables
template <class T, int N> __global__ void k() {}
template <class T> struct Ops {
  void fwd(int) { k<T, 1><<<1, 1>>>(); }
  void bwd(int) { k<T, 2><<<1, 1>>>(); }
  void none(int) { k<T, 3><<<1, 1>>>(); }
  using fn = void (Ops::*)(int);
  static constexpr fn table[] = {&Ops::fwd, &Ops::bwd};
  void run(int i) { (this->*table[i])(i); }
};
template <class C, void (C::*M)(int)> void invoke(C &c) { (c.*M)(1); }
int main() {
  Ops<float> ops;
  ops.run(0);
  Ops<int> other;
  invoke<Ops<int>, &Ops<int>::none>(other);
}
