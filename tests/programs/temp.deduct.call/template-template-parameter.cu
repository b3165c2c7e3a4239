// [temp.deduct.call] a template template parameter and its arguments are deduced
#include <vector>
template <class T, int N> __global__ void k() {}
template <class T> struct Span {};
template <class T, int N> struct Small {};
template <template <class> class C, class T> void go(C<T>) { k<C<T>, 1><<<1, 1>>>(); k<C<char>, 2><<<1, 1>>>(); }
template <template <class, int> class C, class T, int N> void sized(C<T, N>) { k<T, N><<<1, 1>>>(); }
template <template <class...> class C, class... A> void any(const C<A...> &) { k<void, sizeof...(A)><<<1, 1>>>(); }
int main() {
  go(Span<float>{});
  sized(Small<int, 6>{});
  any(Span<int>{});
  any(std::vector<double>());
}
