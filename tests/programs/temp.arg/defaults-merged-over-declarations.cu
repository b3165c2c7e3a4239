// [temp.arg] default arguments are merged from several declarations
template <class T, int N, bool V> __global__ void k() {}
template <class T, int N, bool V = true> struct Conv;
template <class T, int N = 3, bool V> struct Conv;
template <class T, int N, bool V> struct Conv { static void go() { k<T, N, V><<<1, 1>>>(); } };
template <class T, int N = 7> void launch(T *);
int main() {
  Conv<float>::go();
  Conv<int, 5>::go();
  launch((char *)nullptr);
}
template <class T, int N> void launch(T *) { k<T, N, false><<<1, 1>>>(); }
