// [dcl.spec.auto.general] lambdas that are not generic return their own local variables, whose types they deduce
template <int N, class T> __global__ void k() {}
template <class T> struct Box {};
template <class T> constexpr auto plain() {
  auto made = [&] { auto own = T{}; return own; }();
  return made;
}
template <class T> constexpr auto with_parameter() {
  return [](int) { T own{}; using Own = decltype(own); return Box<Own>{}; }(1);
}
template <class T> constexpr auto chosen() {
  auto tile = [&]() {
    if constexpr (sizeof(T) == 1) {
      auto narrow = Box<char>{};
      return narrow;
    } else if constexpr (sizeof(T) == 8) {
      constexpr int length = sizeof(T) * 2;
      auto wide = Box<int[length]>{};
      return wide;
    } else {
      static_assert(sizeof(T) == 4, "other");
      return T{};
    }
  }();
  return tile;
}
template <class T> constexpr auto by_reference(T &value) {
  auto refer = [&]() -> auto & { auto &same = value; return same; };
  return Box<decltype(refer())>{};
}
template <class T> constexpr auto nested() {
  auto outer = [] {
    auto inner = [] { auto deep = Box<T>{}; return deep; };
    { auto unused = 0; (void)unused; }
    auto made = inner();
    return Box<decltype(made)>{};
  };
  return outer();
}
template <class F> void launch(F f) { k<9, decltype(f())><<<1, 1>>>(); }
int main() {
  k<1, decltype(plain<short>())><<<1, 1>>>();
  k<2, decltype(with_parameter<float>())><<<1, 1>>>();
  k<3, decltype(chosen<char>())><<<1, 1>>>();
  k<4, decltype(chosen<double>())><<<1, 1>>>();
  k<5, decltype(chosen<int>())><<<1, 1>>>();
  float value = 0;
  k<6, decltype(by_reference(value))><<<1, 1>>>();
  k<7, decltype(nested<long>())><<<1, 1>>>();
  auto last = [=] { auto copy = value; auto *at = &copy; return at; };
  k<8, decltype(last())><<<1, 1>>>();
  launch([] { auto number = 2.5; return number; });
}
