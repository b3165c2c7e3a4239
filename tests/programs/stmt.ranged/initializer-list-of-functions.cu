// [stmt.ranged] ranges over braced lists of function pointers and types of constants
#include <initializer_list>
template <class T, int N> __global__ void k() {}
template <class T, int N> void run() { k<T, N><<<1, 1>>>(); }
template <class T> void go(T) { k<T, 0><<<1, 1>>>(); }
template <class T> void all() { for (auto f : {run<T, 1>, run<T, 2>}) f(); }
int main() {
  all<float>();
  for (auto n : {16u, 32u}) go(n);
  for (int i = 0; auto c : "ab") { go(c); break; }
}
