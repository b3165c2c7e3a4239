// [temp.alias] alias templates with default arguments and packs
template <class T, int N> __global__ void k() {}
template <class T, int N, bool V> struct Impl { static void go() { k<T, V ? N : -N><<<1, 1>>>(); } };
template <class T, int N = 8> using Fast = Impl<T, N, true>;
template <class... A> using Slow = Impl<A..., 3, false>;
template <class T> using Ptr = T *;
template <template <class> class F, class T> using Apply = F<T>;
int main() {
  Fast<float>::go();
  Fast<double, 2>::go();
  Impl<Ptr<char>, 1, true>::go();
  Impl<Apply<Ptr, Ptr<int>>, 5, false>::go();
  Slow<short>::go();
}
