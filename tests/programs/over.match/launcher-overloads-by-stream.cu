// [over.match] overloads with streams, defaults and iterators compete as an algorithm library's do
template <class T, int N> __global__ void k() {}
struct Par { cudaStream_t s; };
template <class D> struct Exec { const D &derived() const { return static_cast<const D &>(*this); } };
struct Device : Exec<Device> {};
template <class It> void sort(It, It) { k<It, 1><<<1, 1>>>(); }
template <class It, class Cmp> void sort(It, It, Cmp) { k<Cmp, 2><<<1, 1>>>(); }
template <class D, class It> void sort(const Exec<D> &, It, It) { k<D, 3><<<1, 1>>>(); }
template <class D, class It, class Cmp> void sort(const Exec<D> &e, It, It, Cmp) {
  k<Cmp, 4><<<1, 1>>>();
  sort(e.derived(), It(), It());
}
struct Less {};
int main() {
  int *p = nullptr;
  sort(p, p);
  sort(p, p, Less{});
  sort(Device{}, (float *)nullptr, (float *)nullptr);
  sort(Device{}, p, p, Less{});
}
