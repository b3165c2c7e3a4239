// [temp.class.spec] partial specializations over values, pointers and template-ids
template <class T, int N> __global__ void k() {}
template <class T, int N> struct Conv { static void go() { k<T, N><<<1, 1>>>(); } };
template <class T> struct Conv<T, 1> { static void go() { k<T, 1001><<<1, 1>>>(); } };
template <class T, int N> struct Conv<T *, N> { static void go() { k<T, 2000 + N><<<1, 1>>>(); } };
template <class T> struct Conv<T *, 1> { static void go() { k<T, 3001><<<1, 1>>>(); } };
template <class T, int N> struct Conv<Conv<T, N>, N> { static void go() { k<T, 4000 + N><<<1, 1>>>(); } };
template <class C> void run() { C::go(); }
int main() {
  run<Conv<float, 3>>();
  run<Conv<float, 1>>();
  run<Conv<int *, 2>>();
  run<Conv<int *, 1>>();
  run<Conv<Conv<char, 5>, 5>>();
  run<Conv<Conv<char, 5>, 6>>();
}
