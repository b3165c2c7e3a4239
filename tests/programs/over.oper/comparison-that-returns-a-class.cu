// [over.oper] operator== may return a class, whose type is the value, and arithmetic converts its operands
template <int N> __global__ void k() {}
template <auto V> struct C { static constexpr auto value = V; constexpr operator decltype(V)() const { return V; } };
struct half { half() = default; explicit half(int) { } explicit half(float) { } };
inline half operator*(half const &, half const &) { return half(); }
template <auto a, auto b> constexpr C<(a == b)> operator==(C<a>, C<b>) { return {}; }
template <bool B, class T, class F> struct pick { using type = T; };
template <class T, class F> struct pick<false, T, F> { using type = F; };
struct size_of { template <class T> constexpr auto operator()(T t) const { return t; } };
static const size_of size;
template <class T> constexpr int twice(T t) { return t * 2; }
int main() {
  k<pick<size(C<4>{}) == C<4>{}, C<1>, C<2>>::type::value><<<1, 1>>>();
  k<pick<size(C<4>{}) == C<5>{}, C<3>, C<6>>::type::value><<<1, 1>>>();
  k<twice(8 * C<4>{})><<<1, 1>>>();
}
