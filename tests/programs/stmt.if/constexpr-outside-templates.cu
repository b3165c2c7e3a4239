// [stmt.if] outside of a template the discarded statement is still checked, and instantiates nothing
template <class T, int N> __global__ void k() {}
template <class T> void run() { k<T, 1><<<1, 1>>>(); }
constexpr bool fast = false;
void go() {
  if constexpr (fast) run<float>();
  else run<double>();
  if (fast) run<char>();
  if constexpr (sizeof(void *) == 8) { k<int, 2><<<1, 1>>>(); }
}
