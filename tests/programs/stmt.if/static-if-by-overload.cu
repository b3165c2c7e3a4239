// [stmt.if] before if constexpr: tags, booleans in partial specializations and recursion choose code
template <class T, int N> __global__ void k() {}
template <bool> struct bool_ {};
template <class T> struct is_float { enum { value = 0 }; };
template <> struct is_float<float> { enum { value = 1 }; };
template <class T> void impl(bool_<true>) { k<T, 1><<<1, 1>>>(); }
template <class T> void impl(bool_<false>) { k<T, 2><<<1, 1>>>(); }
template <class T> void go() { impl<T>(bool_<is_float<T>::value>()); }
template <int N, bool Done = N == 0> struct Loop { static void run() { k<int, N><<<1, 1>>>(); Loop<N - 1>::run(); } };
template <int N> struct Loop<N, true> { static void run() {} };
template <class T, bool B> struct Select { typedef T type; };
template <class T> struct Select<T, false> { typedef unsigned char type; };
int main() {
  go<float>();
  go<int>();
  Loop<2>::run();
  k<Select<double, (sizeof(double) > 4)>::type, 10><<<1, 1>>>();
  k<Select<short, (sizeof(short) > 4)>::type, 11><<<1, 1>>>();
}
