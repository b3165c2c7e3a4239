// [over.match.class.deduct] a class template without constructors and with default arguments is deduced from nothing
template <int N, class T> __global__ void k() {}
template <class T> struct None {};
struct Mask {};
template <bool B = true> struct Causal : Mask {};
template <class T = int, class U = None<T>> struct Plain { T a; U b; };
template <class T = float> struct Constructed { Constructed() = default; Constructed(T *) {} };
template <class F> void with(F f, bool causal) {
  if (causal) f(Causal{});
  else f(Mask{});
}
int main(int count, char **) {
  with([](auto mask) { k<1, decltype(mask)><<<1, 1>>>(); }, count > 1);
  Causal<false> other;
  k<2, decltype(other)><<<1, 1>>>();
  k<3, decltype(Plain{})><<<1, 1>>>();
  Plain plain;
  k<5, decltype(plain)><<<1, 1>>>();
  k<6, decltype(Constructed{})><<<1, 1>>>();
  Causal causal{};
  k<7, decltype(causal)><<<1, 1>>>();
}
