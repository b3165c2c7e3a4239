// [temp.constr] disjunctions, negations and concepts of packs
// std: c++20
#include <type_traits>
template <class T, int N> __global__ void k() {}
template <class T, class... U> concept OneOf = (std::is_same_v<T, U> || ...);
template <class T> concept Storable = OneOf<T, float, double, int> || std::is_enum_v<T>;
enum class E { x };
template <class T> requires Storable<T> void go(T) { k<T, 1><<<1, 1>>>(); }
template <class T> requires(!Storable<T>) void go(T) { k<T, 0><<<1, 1>>>(); }
template <class... T> requires(Storable<T> && ...) void all(T...) { k<void, sizeof...(T)><<<1, 1>>>(); }
template <class... T> void all(T...) { k<char, sizeof...(T)><<<1, 1>>>(); }
int main() {
  go(1);
  go('c');
  go(E::x);
  all(1, 2.f);
  all(1, 'c', 2.f);
}
