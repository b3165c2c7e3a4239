// [temp.deduct.partial] partial ordering of templates over template-ids
#include <utility>
template <class T, int N> __global__ void k() {}
template <class T> struct Vec {};
template <class T> void go(T) { k<T, 0><<<1, 1>>>(); }
template <class T> void go(Vec<T>) { k<T, 1><<<1, 1>>>(); }
template <class T> void go(Vec<Vec<T>>) { k<T, 2><<<1, 1>>>(); }
template <class A, class B> void go(std::pair<A, B>) { k<A, 3><<<1, 1>>>(); }
template <class A> void go(std::pair<A, A>) { k<A, 4><<<1, 1>>>(); }
int main() {
  go(3);
  go(Vec<int>{});
  go(Vec<Vec<float>>{});
  go(std::pair<int, char>());
  go(std::pair<int, int>());
}
