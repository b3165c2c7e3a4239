// [cpp17] lists of values of different types
template <class T, int N> __global__ void k() {}
template <auto... V> struct list {
  template <template <auto> class F> static void each() { (F<V>::run(), ...); }
  static constexpr int size = sizeof...(V);
};
template <auto V> struct Run { static void run() { k<decltype(V), int(V)><<<1, 1>>>(); } };
template <auto H, auto... R> constexpr auto head(list<H, R...>) { return H; }
int main() {
  using L = list<1, 'a', 7u, true>;
  L::each<Run>();
  k<void, head(L{}) + L::size><<<1, 1>>>();
}
