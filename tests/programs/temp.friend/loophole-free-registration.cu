// [temp.friend] a friend with a deduced pair of parameters, found by both
template <class T, int N> __global__ void k() {}
struct Cpu {}; struct Gpu {};
template <class From, class To> struct Copy {
  friend void transfer(From, To, Copy) { k<From, 1><<<1, 1>>>(); }
  template <class X> friend void via(Copy, X) { k<X, 2><<<1, 1>>>(); }
};
int main() {
  transfer(Cpu{}, Gpu{}, Copy<Cpu, Gpu>{});
  via(Copy<Gpu, Cpu>{}, Cpu{});
}
