// [expr.const] constexpr functions with loops, local arrays, references and early returns
template <int A, int B> __global__ void k() {}
constexpr int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
constexpr int primes(int n) {
  bool composite[64] = {};
  int count = 0;
  for (int i = 2; i < n; ++i) {
    if (composite[i]) continue;
    ++count;
    for (int j = i * 2; j < n; j += i) composite[j] = true;
  }
  return count;
}
constexpr void twice(int &x) { x *= 2; }
constexpr int via(int x) { twice(x); return x; }
int main() {
  k<gcd(48, 36), primes(20)><<<1, 1>>>();
  k<via(21), gcd(7, 3) + via(1)><<<1, 1>>>();
}
