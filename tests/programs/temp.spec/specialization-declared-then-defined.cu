// [temp.spec] a specialization is declared before its use and defined after
template <class T, int N> __global__ void k() {}
template <class T> void run() { k<T, 1><<<1, 1>>>(); }
template <> void run<float>();
template <class T> struct Impl { static void go() { k<T, 3><<<1, 1>>>(); } };
template <> void Impl<double>::go();
int main() {
  run<float>();
  run<int>();
  Impl<double>::go();
  Impl<int>::go();
}
template <> void run<float>() { k<float, 2><<<1, 1>>>(); }
template <> void Impl<double>::go() { k<double, 4><<<1, 1>>>(); }
