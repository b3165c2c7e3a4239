// [dcl.struct.bind] structured bindings captured by lambdas and in loops
// std: c++20
template <class T> __global__ void k() {}
struct Pair { int a; float b; };
template <class T> void go(T) { k<T><<<1, 1>>>(); }
int main() {
  Pair table[2] = {};
  for (const auto &[a, b] : table) {
    auto run = [a, &b] { go(a); go(&b); };
    run();
  }
  auto [x, y] = Pair{};
  [=] { go(x); go(y); }();
  char raw[2] = {};
  auto &[c0, c1] = raw;
  go(c1);
}
