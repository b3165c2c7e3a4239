// [dcl.spec.auto] auto variables of pointers, references, templates and initializer lists
#include <initializer_list>
template <class T, int N> __global__ void k() {}
template <class T> struct Box { T v; auto get() const { return v; } auto *ptr() { return &v; } };
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
int main() {
  const auto box = Box<float>{};
  auto v = box.get();
  go(v);
  Box<char> other;
  auto *p = other.ptr();
  go(p);
  auto &&r = *p;
  k<decltype(r), 2><<<1, 1>>>();
  auto list = {1, 2};
  k<decltype(list), 3><<<1, 1>>>();
  const auto &c = 5u;
  go(c);
}
