// [temp.class.spec] members of a partial specialization defined outside
template <class T, int N> __global__ void k() {}
template <class T, bool Fast> struct Impl { void run(); };
template <class T> struct Impl<T, true> { void run(); template <int M> static void tile(); };
template <class T, bool Fast> void Impl<T, Fast>::run() { k<T, 0><<<1, 1>>>(); }
template <class T> void Impl<T, true>::run() { k<T, 1><<<1, 1>>>(); tile<7>(); }
template <class T> template <int M> void Impl<T, true>::tile() { k<T, M><<<1, 1>>>(); }
int main() {
  Impl<float, false>().run();
  Impl<double, true>().run();
}
