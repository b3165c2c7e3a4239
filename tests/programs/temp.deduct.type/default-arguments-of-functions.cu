// [temp.deduct.type] default arguments of a function deduce nothing, so that a template is not viable without the argument
template <int N, class T> __global__ void k() {}
template <class...> struct List {};
template <class A, class B> struct Layout {};
template <int M, class S> constexpr bool is_major(S = {}) { return M == 0; }
template <int M, class A, class B> constexpr bool is_major(Layout<A, B> = {}) { return is_major<M>(B{}); }
template <int M, class A> constexpr List<A> two(A, A * = nullptr) { return {}; }
template <int M, class A, class B> constexpr List<A, B> two(A, B * = nullptr) { return {}; }
template <class S> constexpr auto first() {
  if constexpr (is_major<0, S>()) return S{};
  else return 1;
}
template <class S> constexpr auto second() {
  if constexpr (is_major<1, S>()) return S{};
  else return 1;
}
int main() {
  k<1, decltype(first<List<int>>())><<<1, 1>>>();
  k<2, decltype(second<List<int>>())><<<1, 1>>>();
  k<3, decltype(two<1>(1.0f))><<<1, 1>>>();
  k<4, decltype(two<1>(1.0f, (int *)nullptr))><<<1, 1>>>();
  k<5 + is_major<0>(Layout<int, float>{}), void><<<1, 1>>>();
}
