// [dcl.fct.default] a default argument added by a later declaration, and one in a block
template <class T, int N> __global__ void k() {}
template <class T> int d() { k<T, 1><<<1, 1>>>(); return 1; }
void f(int a, int b = d<int>());
void f(int a = d<float>(), int b);
void g(int);
int main() {
  f();
  void g(int = d<char>());
  g();
}
void f(int, int) { k<void, 2><<<1, 1>>>(); }
void g(int) { k<void, 3><<<1, 1>>>(); }
