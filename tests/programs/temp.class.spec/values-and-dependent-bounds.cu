// [temp.class.spec] specializations by values, arrays and template template parameters
template <class T, int N> __global__ void k() {}
template <class T, bool Wide = (sizeof(T) > 4)> struct Path { static void go() { k<T, 1><<<1, 1>>>(); } };
template <class T> struct Path<T, true> { static void go() { k<T, 2><<<1, 1>>>(); } };
template <class T, decltype(sizeof(0)) N> struct Path<T[N], false> { static void go() { k<T, 100 + N><<<1, 1>>>(); } };
template <class T, decltype(sizeof(0)) N> struct Path<T[N], true> { static void go() { k<T, 200 + N><<<1, 1>>>(); } };
template <template <class, int> class W, class T, int N> struct Path<W<T, N>, false> { static void go() { k<T, 300 + N><<<1, 1>>>(); } };
template <class T, int N> struct Vec { char c; };
int main() {
  Path<int>::go();
  Path<double>::go();
  Path<char[3]>::go();
  Path<float[4]>::go();
  Path<Vec<short, 5>>::go();
}
