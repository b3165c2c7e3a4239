// [expr.const] floating constants in constant expressions
template <int A> __global__ void k() {}
constexpr double ratio = 0.75;
constexpr float alpha(int n) { return n * 0.1f; }
constexpr int ceil_div(double a, double b) { return int(a / b) + (a / b > int(a / b) ? 1 : 0); }
int main() {
  k<int(ratio * 128)><<<1, 1>>>();
  k<(alpha(30) > 2.5f)><<<1, 1>>>();
  k<ceil_div(10, 4)><<<1, 1>>>();
  k<static_cast<int>(1e3)><<<1, 1>>>();
  k<int(-2.7)><<<1, 1>>>();
}
