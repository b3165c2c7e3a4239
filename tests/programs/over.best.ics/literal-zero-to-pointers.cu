// [over.best.ics] the literal zero is converted to pointers and member pointers: better than an ellipsis, deduced by no pointer
template <int N, int V> __global__ void k() {}
template <class T> struct has_pointer {
  using yes = char;
  using no = int;
  template <class S> static yes test(typename S::pointer *);
  template <class S> static no test(...);
  static bool const value = sizeof(test<T>(0)) == sizeof(yes);
};
template <class T> struct is_class {
  template <class S> static char test(int S::*);
  template <class S> static long test(...);
  static constexpr bool value = sizeof(test<T>(0)) == 1;
};
struct With { using pointer = With *; };
struct Without { };
struct Derived : With { };
using address = void *;
template <int N> void go(address) { k<N, 1><<<1, 1>>>(); }
template <int N> void go(...) { k<N, 2><<<1, 1>>>(); }
template <int N, class T> void deduced(T *) { k<N, 1><<<1, 1>>>(); }
template <int N, class T> void deduced(T) { k<N, 2><<<1, 1>>>(); }
template <int N> void exact(int) { k<N, 1><<<1, 1>>>(); }
template <int N> void exact(char *) { k<N, 2><<<1, 1>>>(); }
int main() {
  k<1, has_pointer<With>::value><<<1, 1>>>();
  k<2, has_pointer<Without>::value><<<1, 1>>>();
  k<3, has_pointer<Derived>::value><<<1, 1>>>();
  k<4, is_class<With>::value><<<1, 1>>>();
  k<5, is_class<int>::value><<<1, 1>>>();
  go<6>(0);
  go<7>(1);
  deduced<8>(0);
  exact<9>(0);
}
