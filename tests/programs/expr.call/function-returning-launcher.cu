// [expr.call] functions that return launchers, called at once or through auto
template <class T, int N> __global__ void k() {}
template <class T, int N> void run() { k<T, N><<<1, 1>>>(); }
using fn = void (*)();
template <class T> fn select(int n) {
  if (n > 64) return &run<T, 64>;
  return n > 32 ? run<T, 32> : run<T, 16>;
}
template <class T> auto best() { return run<T, 1>; }
template <class... T> void all(int n) { (select<T>(n)(), ...); }
int main(int argc, char **) {
  all<float, int>(argc);
  best<char>()();
}
