// [expr.const] consteval functions and constinit variables as arguments
// std: c++20
template <int N> __global__ void k() {}
consteval int square(int n) { return n * n; }
template <class T> consteval int bits() { return sizeof(T) * 8; }
constexpr int table[] = {square(2), square(3), bits<short>()};
template <int... N> void go() { (k<N><<<1, 1>>>(), ...); }
int main() {
  go<square(5), table[1], table[2], bits<double>()>();
}
