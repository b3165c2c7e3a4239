// [cuda] a table of configurations made from a type list, searched at run time
#include <array>
template <int BM, int BN, int S> __global__ void gemm(float *p) {}
template <int BM, int BN, int S> struct Config {
  static constexpr int m = BM, n = BN, stages = S;
  static void launch(float *p) { gemm<BM, BN, S><<<1, 1>>>(p); }
};
template <class... C> struct Configs {
  struct Entry { int m, n; void (*launch)(float *); };
  static constexpr std::array<Entry, sizeof...(C)> table{Entry{C::m, C::n, &C::launch}...};
  static void run(int m, float *p) { for (const Entry &e : table) if (e.m >= m) return e.launch(p); }
};
using All = Configs<Config<64, 64, 3>, Config<128, 64, 4>, Config<128, 128, 5>>;
int main(int argc, char **) { All::run(argc, nullptr); }
