// [temp.arg] a template template parameter takes templates with defaulted parameters (C++17)
template <class T, int N> __global__ void k() {}
template <class T, int N = 4> struct Tile { static void go() { k<T, N><<<1, 1>>>(); } };
template <class T> struct One { static void go() { k<T, 1><<<1, 1>>>(); } };
template <template <class> class C, class T> void go() { C<T>::go(); }
template <template <class, int> class C> void wide() { C<double, 8>::go(); }
template <template <class...> class C> void any() { C<short>::go(); }
int main() {
  go<Tile, float>();
  go<One, int>();
  wide<Tile>();
  any<One>();
}
