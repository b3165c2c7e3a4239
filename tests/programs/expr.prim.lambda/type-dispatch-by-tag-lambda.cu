// [expr.prim.lambda] a switch calls a generic lambda with a tag of the type, nested twice
template <class A, class B, int N> __global__ void k() {}
template <class T> struct type_t { using type = T; };
enum class Type { f32, f64, i8 };
template <class F> auto dispatch(Type t, F &&f) {
  switch (t) {
  case Type::f32: return f(type_t<float>{});
  case Type::f64: return f(type_t<double>{});
  default: return f(type_t<signed char>{});
  }
}
template <class F> void with_width(int n, F f) {
  if (n % 4 == 0) f(type_t<int[4]>{});
  else f(type_t<int[1]>{});
}
void cast(Type from, Type to, int n) {
  dispatch(from, [&](auto src) {
    using S = typename decltype(src)::type;
    return dispatch(to, [&](auto dst) {
      using D = typename decltype(dst)::type;
      if constexpr (sizeof(S) <= sizeof(D)) {
        with_width(n, [](auto w) { k<S, D, sizeof(typename decltype(w)::type) / 4><<<1, 1>>>(); });
      }
      return 0;
    });
  });
}
