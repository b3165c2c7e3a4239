// [stmt.ranged] the range's own begin, end, operators and temporaries' destructors run
template <int N> __global__ void k() {}
struct Sentinel {};
struct Iter {
  int operator*() const { k<1><<<1, 1>>>(); return 0; }
  void operator++() { k<2><<<1, 1>>>(); }
  bool operator!=(Sentinel) const { k<3><<<1, 1>>>(); return false; }
};
struct Range {
  Iter begin() const { k<4><<<1, 1>>>(); return {}; }
  Sentinel end() const { k<5><<<1, 1>>>(); return {}; }
  ~Range() { k<6><<<1, 1>>>(); }
};
Range make() { k<7><<<1, 1>>>(); return {}; }
int main() { for (int v : make()) (void)v; }
