// [temp.variadic] a pack captured by a lambda and expanded in its body
// std: c++20
template <class T> __global__ void k(T v) {}
template <class... T> auto later(T... v) {
  return [... v = v] { (k<T><<<1, 1>>>(v), ...); };
}
int main() {
  auto f = later(1, 2.0);
  f();
  auto g = later('c');
}
