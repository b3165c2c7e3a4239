// [dcl.type.decltype] the operand is a name although there are commas in it: its type is that of the entity
template <int Number, class T>
__global__ void query() {}

template <class T, class... Rest>
extern T dependent;
template <class T, class... Rest>
using same = decltype(dependent<T, Rest...>);
template <class A, class B>
struct Pair {
  static A first;
  static constexpr B second = 2;
};
template <class A, class B>
using first = decltype(Pair<A, B>::first);
template <class A, class B>
using second = decltype((Pair<A, B>::first));
struct Holder {
  using type = long;
  static constexpr bool holds(void *, long) { return true; }
};
template <class T>
inline constexpr bool satisfied = same<struct Later, T>::holds(static_cast<T *>(nullptr), 0);
struct Later {
  static constexpr bool holds(int *, int) { return true; }
  static constexpr bool holds(void *, long) { return false; }
};
template <int Number, bool Value>
__global__ void value() {}

void launch() {
  query<1, same<Holder, int>><<<1, 1>>>();
  query<2, typename same<Holder, int, int>::type><<<1, 1>>>();
  query<3, first<int, char>><<<1, 1>>>();
  query<4, second<int, char>><<<1, 1>>>();
  query<5, decltype(Pair<int, char>::second)><<<1, 1>>>();
  query<6, decltype(1, Pair<int, char>::first)><<<1, 1>>>();
  value<7, satisfied<int>><<<1, 1>>>();
  value<8, satisfied<char>><<<1, 1>>>();
}
