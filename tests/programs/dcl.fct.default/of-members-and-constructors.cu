// [dcl.fct.default] default arguments of members and constructors, of templates only when used
template <class T, int N> __global__ void k() {}
template <class T> int tick(int n) { k<T, 1><<<1, 1>>>(); return n; }
template <class T> struct Op {
  Op(int = tick<T>(1)) {}
  void run(int = tick<T *>(2)) {}
  static void other(int = tick<T **>(3)) {}
};
struct Plain { void go(float = tick<char>(4)); };
void Plain::go(float) { k<void, 5><<<1, 1>>>(); }
int main() {
  Op<float> a;
  a.run();
  Op<double> b(3);
  Plain().go();
}
