// [dcl.init] static locals of function templates, initialized by calls
template <class T, int N> __global__ void k() {}
template <class T> int tune() { k<T, 1><<<1, 1>>>(); return 4; }
template <class T> int best() {
  static int const value = tune<T>();
  static const auto table = [] { k<T, 2><<<1, 1>>>(); return 3; }();
  return value + table;
}
int main() { return best<float>() + best<char>(); }
