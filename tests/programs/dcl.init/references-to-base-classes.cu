// [dcl.init.ref] a reference to a base class is bound to that subobject, whose members others of the same name do not hide
template <int Number, int Value>
__global__ void value() {}

template <int N, class T>
struct head {
  T held;
  constexpr head(T one) : held(one) {}
  static constexpr const T &get(const head &one) { return one.held; }
};
template <int N, class... T>
struct layers;
template <int N>
struct layers<N> {};
template <int N, class H, class... T>
struct layers<N, H, T...> : layers<N + 1, T...>, head<N, H> {
  constexpr layers(H one, T... rest) : layers<N + 1, T...>(rest...), head<N, H>(one) {}
};
template <int N, class T>
constexpr const T &at(const head<N, T> &one) {
  return one.held;
}
struct Low {
  int held;
};
struct High : Low {
  int held;
};
constexpr int low(const Low &one) { return one.held; }
constexpr int high(const High &one) { return one.held; }
constexpr int changed(int to) {
  High one{{1}, 2};
  Low &base = one;
  base.held = to;
  return one.held * 100 + low(one);
}
constexpr layers<0, int, int, char> three(int first) { return layers<0, int, int, char>(first, first + 1, 'a'); }
constexpr High both{{3}, 4};

template <int First>
struct Tile {
  static constexpr layers<0, int, int, char> all = three(First);
  static constexpr int width = at<0>(all);
  static constexpr int height = at<1>(all);
  static constexpr int depth = head<2, char>::get(all);
};

void launch() {
  value<1, Tile<8>::width><<<1, 1>>>();
  value<2, Tile<8>::height><<<1, 1>>>();
  value<3, Tile<16>::depth><<<1, 1>>>();
  value<4, low(both)><<<1, 1>>>();
  value<5, high(both)><<<1, 1>>>();
  value<6, changed(7)><<<1, 1>>>();
}
