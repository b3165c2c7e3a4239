// [dcl.fct.def.delete] a customization point with constrained operators, beside a function that is deleted
template <int Number, class T, bool Valid>
__global__ void query() {}

template <bool>
struct chosen {};
template <>
struct chosen<true> {
  template <class T>
  using type = T;
};
template <bool Condition, class T = void>
using enable = typename chosen<Condition>::template type<T>;
template <class T>
T &&declared() noexcept;

namespace points {
template <class T>
void swap(T &, T &) = delete;

template <class T, class = void>
inline constexpr bool found = false;
template <class T>
inline constexpr bool found<T, decltype(swap(declared<T &>(), declared<T &>()))> = true;

struct Swap {
  template <class T, bool True = true, enable<found<T> && True, int> = 0>
  void operator()(T &, T &) const;
  template <class T, class U, bool True = true, enable<sizeof(T) == 2 && True, int> = 0>
  void operator()(T &&, U &&) const;
  template <class T, bool True = true, enable<!found<T> && sizeof(T) == 8 && True, int> = 0>
  void operator()(T &, T &) const;
};
inline constexpr auto exchange = Swap{};
}  // namespace points

namespace user {
struct Own {
  friend void swap(Own &, Own &);
};
}  // namespace user

template <class T>
auto exchanges(T &a, T &b) -> decltype(points::exchange(a, b), char());
template <class... T>
int exchanges(T &&...);

template <class T>
void all() {
  query<1, T, points::found<T>><<<1, 1>>>();
  query<2, T, sizeof(exchanges(declared<T &>(), declared<T &>())) == 1><<<1, 1>>>();
}

void launch() {
  all<unsigned *>();
  all<int>();
  all<short>();
  all<user::Own>();
}
