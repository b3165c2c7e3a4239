// [expr.prim.lambda] packs in captures
// std: c++20
template <class T> __global__ void k() {}
template <class T> void go(T) { k<T><<<1, 1>>>(); }
template <class... A> auto defer(A... a) {
  return [... b = a] { (go(b), ...); };
}
int main() {
  defer(1, 2.0f)();
  defer('c', (short *)nullptr)();
}
