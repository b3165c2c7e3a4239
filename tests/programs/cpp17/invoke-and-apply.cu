// [cpp17] std::invoke with functions, members and lambdas
#include <functional>
#include <tuple>
template <class T, int N> __global__ void k() {}
template <class T> void free_fn(T) { k<T, 1><<<1, 1>>>(); }
struct S { void member(int) { k<S, 2><<<1, 1>>>(); } template <class T> void templ(T) { k<T, 3><<<1, 1>>>(); } };
int main() {
  S s;
  std::invoke(free_fn<float>, 1.f);
  std::invoke(&S::member, s, 1);
  std::invoke(&S::templ<char>, &s, 'c');
  std::invoke([](auto v) { k<decltype(v), 4><<<1, 1>>>(); }, 2u);
  std::apply(free_fn<double>, std::make_tuple(2.0));
}
