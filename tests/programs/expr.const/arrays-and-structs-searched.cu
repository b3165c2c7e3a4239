// [expr.const] a constexpr search through a table of configurations
template <int M, int S> __global__ void k() {}
struct Config { int arch, m, stages; };
constexpr Config configs[] = {{70, 64, 2}, {80, 128, 4}, {90, 256, 6}};
constexpr Config pick(int arch) {
  Config best = configs[0];
  for (const Config &c : configs)
    if (c.arch <= arch) best = c;
  return best;
}
template <int Arch> void run() {
  constexpr auto c = pick(Arch);
  k<c.m, c.stages><<<1, 1>>>();
}
int main() {
  run<75>();
  run<86>();
  run<120>();
}
