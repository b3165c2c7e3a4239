// [basic.scope] parameters without names declare none, with default arguments or not
template <int N, class T> __global__ void k() {}
template <bool B, class T = void> struct only_if {};
template <class T> struct only_if<true, T> { using type = T; };
struct Underscore {};
constexpr Underscore _{};
constexpr int unnamed = 3;
template <class T> constexpr T same(T value) { return value; }
template <class T, typename only_if<(sizeof(T) > 1)>::type * = nullptr> constexpr auto pointer(T) { return same(_); }
template <class T, int = 4> constexpr auto number(T) { return same(_); }
template <class T, class = void> constexpr auto type(T) { return same(_); }
template <class T, T * = nullptr, T & = *(T *)nullptr> struct Both;
template <class T> constexpr auto function(T *, int * = nullptr, int & = *(int *)nullptr) { return same(_); }
struct Bits {
  int a : 3, : 5;
  int : 1, b : 2;
  constexpr auto get() const { return same(_); }
};
constexpr auto listed(Underscore, Underscore value = {}) { return same(value); }
int main() {
  int own = 0;
  k<1, decltype(pointer(1))><<<1, 1>>>();
  k<2, decltype(number(1))><<<1, 1>>>();
  k<3, decltype(type(1))><<<1, 1>>>();
  k<4, decltype(function(&own))><<<1, 1>>>();
  k<5, decltype(Bits{}.get())><<<1, 1>>>();
  k<6, decltype(listed(_))><<<1, 1>>>();
  k<unnamed, Underscore><<<1, 1>>>();
}
