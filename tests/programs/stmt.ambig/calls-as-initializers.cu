// [dcl.ambig.res] a call in parentheses initializes a variable, of a block or a static data member, also where only it leads
template <class T> __global__ void k() {}
template <class T> int run() { k<T><<<1, 1>>>(); return 1; }
struct S { static int a; static const int b; };
int S::a(run<int>());
const int S::b(run<float>());
template <class T> void in_template() { int a(run<T>()); }
int main() {
  int a(run<char>());
  static int b(run<short>());
  for (int i(run<long>()); i < 1; ++i) {}
  in_template<double>();
}
