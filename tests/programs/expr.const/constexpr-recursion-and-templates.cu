// [expr.const] recursive constexpr templates, ternaries and static constexpr members in terms of each other
template <int N> __global__ void k() {}
template <int N> struct Log2 { static constexpr int value = 1 + Log2<N / 2>::value; };
template <> struct Log2<1> { static constexpr int value = 0; };
template <class T> constexpr T pow_of(T b, unsigned e) {
  return e == 0 ? T(1) : e % 2 ? b * pow_of(b, e - 1) : pow_of(b * b, e / 2);
}
template <class T> struct Traits {
  static constexpr int bits = sizeof(T) * 8;
  static constexpr int lanes = 128 / bits;
  static constexpr int log = Log2<lanes * 2>::value;
};
int main() {
  k<Log2<256>::value><<<1, 1>>>();
  k<pow_of(3, 4)><<<1, 1>>>();
  k<Traits<short>::log><<<1, 1>>>();
  k<int(pow_of(2LL, 20) >> 12)><<<1, 1>>>();
}
