// [over.oper] a raw literal operator takes the characters as a string
template <int N> __global__ void k() {}
constexpr int operator""_len(const char *s) {
  int n = 0;
  while (s[n]) ++n;
  return n;
}
int main() {
  k<12345_len><<<1, 1>>>();
  k<7_len><<<1, 1>>>();
}
