// [temp.alias] alias templates with defaults, packs and partial application
template <class T, int N> __global__ void k() {}
template <class T, int N, class P> struct Kernel { static void go() { k<P, N + sizeof(T)><<<1, 1>>>(); } };
template <class T, class P = T *> using Small = Kernel<T, 10, P>;
template <class... A> using First = decltype((static_cast<A *>(nullptr), ...));
template <template <class...> class A, class... X> using Apply = A<X...>;
template <class T> using Ident = T;
int main() {
  Small<char>::go();
  Small<int, float>::go();
  Apply<Small, short>::go();
  k<Ident<Ident<double>>, 1><<<1, 1>>>();
}
