// [temp.inst] default arguments and exception specifications are instantiated when used
template <class T, int N> __global__ void k() {}
template <class T, int N> T made() { k<T, N><<<1, 1>>>(); return T(); }
template <class T> void go(T t = made<T, 1>()) {}
template <class T> struct S { void run(T t = made<T, 2>()) {} T member = made<T, 3>(); };
int main() {
  go<int>();
  go<float>(1.0f);
  S<char> s;
  s.run();
  S<double> d{};
  d.run(2.0);
}
