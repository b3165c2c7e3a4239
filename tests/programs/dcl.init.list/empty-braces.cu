// [dcl.init.list] empty braces: default constructor, value initialization, default arguments
template <class T, int N> __global__ void k() {}
template <class T> struct Opt { Opt() { k<T, 1><<<1, 1>>>(); } Opt(int) { k<T, 2><<<1, 1>>>(); } };
template <class T = float> void go(Opt<T> = {}) { k<T, 3><<<1, 1>>>(); }
template <class T> T zero() { return {}; }
int main() {
  go({});
  go<int>();
  go<char>({4});
  zero<Opt<double>>();
}
