// [over.oper] user-defined literals, cooked, raw and templates of characters
template <int N> __global__ void k() {}
template <int N> struct Int { static void go() { k<N><<<1, 1>>>(); } };
constexpr int operator""_KiB(unsigned long long v) { return int(v) * 1024; }
int operator""_run(unsigned long long) { k<1><<<1, 1>>>(); return 0; }
int operator""_run(const char *, decltype(sizeof(0))) { k<2><<<1, 1>>>(); return 0; }
template <char... C> auto operator""_c() { return Int<int(sizeof...(C))>{}; }
int main() {
  k<4_KiB><<<1, 1>>>();
  5_run;
  "s"_run;
  (12345_c).go();
}
