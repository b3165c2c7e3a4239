// [over.best.ics] a conversion to a nearer base class is better, also for templates of several namespaces; void and bool are worst
template <int N> __global__ void k() {}
template <class D> struct Base { };
template <class D> struct Policy : Base<D> { };
namespace gpu {
template <class D> struct Policy : ::Policy<D> { };
struct Tag : Policy<Tag> { };
template <class D> void each(Policy<D> &) { k<1><<<1, 1>>>(); }
}
namespace generic {
template <class D> void each(Policy<D> &) { k<2><<<1, 1>>>(); }
}
template <class D> void each(const Base<D> &policy) {
  k<3><<<1, 1>>>();
  using generic::each;
  each(static_cast<D &>(const_cast<Base<D> &>(policy)));
}
struct Other : Policy<Other> { };
struct Top { };
struct Middle : Top { };
struct Leaf : Middle { };
void pointer(Top *) { k<4><<<1, 1>>>(); }
template <int N> void pick(const void *) { k<N><<<1, 1>>>(); }
template <int N> void pick(const Top *) { k<N + 1><<<1, 1>>>(); }
template <int N> void pick(const Middle *) { k<N + 2><<<1, 1>>>(); }
template <int N> void flag(bool) { k<N><<<1, 1>>>(); }
template <int N> void flag(const void *) { k<N + 1><<<1, 1>>>(); }
template <int N> void value(Top) { k<N><<<1, 1>>>(); }
template <int N> void value(Middle) { k<N + 1><<<1, 1>>>(); }
int main() {
  gpu::Tag tag;
  Other other;
  each(static_cast<Base<gpu::Tag> &>(tag));
  each(static_cast<Base<Other> &>(other));
  Leaf leaf;
  pick<10>(&leaf);
  pick<20>((Top *)nullptr);
  pick<30>((int *)nullptr);
  flag<40>(&leaf);
  value<50>(leaf);
}
