// [temp.alias] an alias template that passes its parameters on is the template that it names, as a template argument
template <template <class> class F, int N> __global__ void k() {}
template <template <class, class> class F> __global__ void two() {}
template <template <int, class...> class F> __global__ void packs() {}
template <class T> struct Plain {};
template <class T, class U = int> struct Default {};
template <class T, class U> struct Pair {};
template <int N, class... T> struct Pack {};
template <class T> using Same = Plain<T>;
template <class T> using Again = Same<T>;
template <class T> using Shorter = Default<T>;
template <class T> using Pointer = Plain<T *>;
template <class T, class U> using Swapped = Pair<U, T>;
template <class T, class U> using Ordered = Pair<T, U>;
template <int N, class... T> using Passed = Pack<N, T...>;
namespace inner {
template <class T> using Outer = ::Plain<T>;
}
int main() {
  k<Plain, 0><<<1, 1>>>();
  k<Same, 1><<<1, 1>>>();
  k<Again, 2><<<1, 1>>>();
  k<inner::Outer, 3><<<1, 1>>>();
  k<Shorter, 4><<<1, 1>>>();
  k<Pointer, 5><<<1, 1>>>();
  two<Swapped><<<1, 1>>>();
  two<Ordered><<<1, 1>>>();
  packs<Passed><<<1, 1>>>();
}
