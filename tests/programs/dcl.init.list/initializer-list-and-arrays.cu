// [dcl.init.list] braced lists for arrays, vectors, initializer_list parameters and returns
#include <initializer_list>
#include <vector>
template <class T, int N> __global__ void k() {}
template <class T> struct Shape { Shape(std::initializer_list<T>) { k<T, 1><<<1, 1>>>(); } };
template <class T> void each(std::initializer_list<T> list) { for (T v : list) k<decltype(v), 2><<<1, 1>>>(); }
Shape<int> make() { return {1, 2}; }
struct Launch { int n; void (*f)(); };
template <int N> void run() { k<void, N><<<1, 1>>>(); }
int main() {
  make();
  each({1.f, 2.f});
  Launch table[] = {{1, run<10>}, {2, run<20>}};
  for (auto &l : std::vector<Launch>{{3, run<30>}}) l.f();
  Shape<char> s = {'a'};
}
