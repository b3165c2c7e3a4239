// [expr.call] operands of sizeof, decltype and noexcept are not instantiated
template <class T, int N> __global__ void k() {}
template <class T> int run() { k<T, 1><<<1, 1>>>(); return 1; }
template <class T> int run_sized() noexcept { k<T, 2><<<1, 1>>>(); return 1; }
template <class T> auto run_auto() { k<T, 3><<<1, 1>>>(); return T(); }
int main() {
  decltype(run<int>()) a = sizeof(run<float>());
  bool b = noexcept(run_sized<char>());
  decltype(run_auto<short>()) c = 0;
  run<double>();
}
