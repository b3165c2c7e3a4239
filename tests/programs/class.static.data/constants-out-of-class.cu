// [class.static.data] static const members initialized inside and outside, used as arguments
template <int A, int B> __global__ void k() {}
template <int N> struct Cfg {
  static const int inside = N * 2;
  static constexpr int table[] = {N, N + 1, N + 2};
  enum { by_enum = N * 3, more };
  static constexpr int pick(int i) { return table[i]; }
};
struct Fixed { static const int warps; };
const int Fixed::warps = 4;
template <int N> void go() {
  k<Cfg<N>::inside, Cfg<N>::more><<<1, 1>>>();
  k<Cfg<N>::table[1], Cfg<N>::pick(2)><<<1, 1>>>();
}
int main() {
  go<10>();
  k<Fixed::warps, 0><<<1, 1>>>();
}
