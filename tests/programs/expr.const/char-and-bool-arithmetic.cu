// [expr.const] arithmetic over characters, booleans and unsigned values
template <long long V> __global__ void k() {}
constexpr char letters[] = "cuda";
constexpr unsigned hash(const char *s) {
  unsigned h = 2166136261u;
  while (*s) h = (h ^ unsigned(*s++)) * 16777619u;
  return h;
}
int main() {
  k<letters[1] - letters[0]><<<1, 1>>>();
  k<hash("relu")><<<1, 1>>>();
  k<hash(letters) % 97><<<1, 1>>>();
  k<true + true + 'a'><<<1, 1>>>();
  k<-1 / 2 + -7 % 3><<<1, 1>>>();
  k<~0u><<<1, 1>>>();
  k<0u - 1><<<1, 1>>>();
  k<(1ull << 40) | 5><<<1, 1>>>();
}
