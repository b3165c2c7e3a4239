// [temp.constr] a compound requirement on the type of an expression
// std: c++20
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class A, class B> concept Same = std::is_same_v<A, B> && std::is_same_v<B, A>;
template <class T> concept HasSize = requires(const T t) { { t.size() } -> Same<int>; };
struct I { int size() const; };
struct L { long size() const; };
template <class T> void go(const T &) requires HasSize<T> { k<T, 1><<<1, 1>>>(); }
template <class T> void go(const T &) requires(!HasSize<T>) { k<T, 2><<<1, 1>>>(); }
int main() {
  go(I{});
  go(L{});
  go(3);
}
