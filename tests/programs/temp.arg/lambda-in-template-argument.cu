// [temp.arg] the result of a lambda in a template argument, called at once or as an object of its type
// std: c++20
template <int N> __global__ void k() {}
using F = decltype([](int a) { return a + 8; });
template <class F> void go() { k<F{}(1)><<<1, 1>>>(); }
int main() {
  k<[](int a) { return a * a; }(5)><<<1, 1>>>();
  go<F>();
}
