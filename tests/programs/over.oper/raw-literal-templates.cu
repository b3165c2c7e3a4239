// [over.oper] literal operator templates of characters and their values
template <int N> __global__ void k() {}
template <char... C> constexpr int parse() {
  int v = 0;
  for (char c : {C...}) v = v * 10 + (c - '0');
  return v;
}
template <int N> struct Int { static void go() { k<N><<<1, 1>>>(); } };
template <char... C> constexpr auto operator""_c() { return Int<parse<C...>()>{}; }
int main() {
  (7_c).go();
  (128_c).go();
  decltype(31_c)::go();
}
