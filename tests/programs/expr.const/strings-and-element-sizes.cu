// [expr.const] functions over a string literal, and sizes of a member's elements
template <long long V> __global__ void k() {}
constexpr char letters[] = "cuda";
constexpr int first(const char *s) { return *s; }
constexpr int length(const char *s) { int n = 0; while (*s++) ++n; return n; }
constexpr unsigned mixed(const char *s) { unsigned h = 2; h = (h ^ unsigned(*s++)) * 3u; return h; }
template <class T, int N> struct Vec { T v[N]; };
template <class T> void go() {
  using V = Vec<T, 4>;
  k<sizeof(V::v)><<<1, 1>>>();
  k<sizeof(V::v[0]) + 500><<<1, 1>>>();
}
int main() {
  k<first("relu")><<<1, 1>>>();
  k<length("relu") + 1000><<<1, 1>>>();
  k<mixed("relu")><<<1, 1>>>();
  k<first(letters)><<<1, 1>>>();
  go<double>();
}
