// [class.mem] member functions with ref-qualifiers
template <class T, int N> __global__ void k() {}
struct Box {
  template <class T> void run(T) & { k<T, 1><<<1, 1>>>(); }
  template <class T> void run(T) const & { k<T, 2><<<1, 1>>>(); }
  template <class T> void run(T) && { k<T, 3><<<1, 1>>>(); }
};
Box make();
int main() {
  Box b;
  const Box c{};
  b.run(1);
  c.run(1.0f);
  make().run('a');
  Box{}.run(1.0);
  static_cast<Box &&>(b).run(1L);
  (&b)->run(short(1));
}
