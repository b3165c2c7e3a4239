// [temp.deduct] default template arguments that are not valid rule out a candidate where they are used
template <class T, class U> __global__ void k() {}
struct A { using type = int; static constexpr int value = 3; };
template <class T, class U = typename T::type> void f(int) { k<T, U><<<1, 1>>>(); }
template <class T> void f(...) { k<T, char><<<1, 1>>>(); }
template <class T, int N = T::value> void g(int) { k<T, int[N]><<<1, 1>>>(); }
template <class T> void g(...) { k<T, char[1]><<<1, 1>>>(); }
template <class T, bool Large = (sizeof(typename T::type) > 2)> void h(T *) {
  k<T, char[1 + Large]><<<1, 1>>>();
}
template <class T> void h(const T *) { k<T, char[9]><<<1, 1>>>(); }
struct B {
  using type = struct Undefined;
};
int main() {
  h((A *)0);
  h((B *)0);
  h((int *)0);
  h<int, true>((int *)0);
  f<int, float>(0);
  f<A>(0);
  f<int>(0);
  f<A, short>(0);
  g<int, 4>(0);
  g<A>(0);
  g<int>(0);
  g<A, 5>(0);
}
