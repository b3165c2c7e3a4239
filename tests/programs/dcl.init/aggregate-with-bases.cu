// [dcl.init] aggregates with base classes
template <class T, int N> __global__ void k() {}
template <class T> struct Base { T t; Base(T) { k<T, 1><<<1, 1>>>(); } };
struct Derived : Base<int>, Base<float> { char c; };
template <class... F> struct Set : F... { };
template <class T> struct Other { Other() { k<T, 2><<<1, 1>>>(); } };
int main() {
  Derived d{1, 2.0f, 'c'};
  Set<Other<double>, Other<long>> s{};
}
