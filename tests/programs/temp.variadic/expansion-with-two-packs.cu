// [temp.variadic] two packs expanded together, and one within the other
template <class T, int N> __global__ void k() {}
template <class... T> struct Types {};
template <int... N> struct Values {};
template <class... T, int... N> void zip(Types<T...>, Values<N...>) { (k<T, N><<<1, 1>>>(), ...); }
template <class T, int... N> void row(Values<N...>) { (k<T *, N><<<1, 1>>>(), ...); }
template <class... T, class V> void cross(Types<T...>, V v) { (row<T>(v), ...); }
int main() {
  zip(Types<char, int>{}, Values<1, 2>{});
  cross(Types<float, double>{}, Values<7, 8>{});
}
