// [expr.prim.lambda] lambdas in std::function, vectors and maps
#include <functional>
#include <map>
#include <string>
#include <vector>
template <class T> __global__ void k() {}
std::map<std::string, std::function<void(int)>> registry;
template <class T> void add(const char *name) {
  registry[name] = [](int) { k<T><<<1, 1>>>(); };
}
int main() {
  add<float>("f");
  add<double>("d");
  std::vector<std::function<void()>> queue;
  queue.push_back([] { k<char><<<1, 1>>>(); });
  for (auto &f : queue) f();
  std::function<int(float)> g = [](auto v) { k<decltype(v) *><<<1, 1>>>(); return 0; };
}
