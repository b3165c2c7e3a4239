// [dcl.struct.bind] bindings in range-based loops and conditions with initializers
#include <utility>
template <class T, int N> __global__ void k() {}
template <class T> void go(T) { k<T, 1><<<1, 1>>>(); }
struct Entry { const char *name; void (*run)(int); double weight; };
template <int N> void launch(int) { k<int, N><<<1, 1>>>(); }
std::pair<bool, float *> find();
int main() {
  const Entry table[] = {{"a", launch<10>, 1}, {"b", launch<20>, 2}};
  for (auto [name, run, weight] : table) {
    run(1);
    go(weight);
  }
  if (auto [ok, p] = find(); ok) go(p);
}
