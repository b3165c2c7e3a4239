// [over.over] members of class templates that are named without a call: in initializers, tables, returns and assignments
template <class T, int N> __global__ void k() {}
template <class F> void keep(F f) {}
struct Hook { void (*f)(); explicit Hook(void (*g)()) : f(g) {} };
template <class T> struct A {
  using F = void (*)();
  using M = void (A::*)();
  static void one() { k<T, 1><<<1, 1>>>(); }
  static void two(int) { k<T, 2><<<1, 1>>>(); }
  static void two(T *) { k<T, 3><<<1, 1>>>(); }
  void member() { k<T, 4><<<1, 1>>>(); }
  static void deduced() { auto p = &A::one; p(); }
  static void typed() { void (*p)() = one; p(); }
  static void chosen() { void (*p)(int) = two; p(1); }
  static void cast() { keep(static_cast<void (*)(T *)>(&A::two)); }
  static F given() { return one; }
  static M member_given() { return &A::member; }
  void listed() { M list[] = {&A::member}; (this->*list[0])(); }
  void assigned() { M m; m = &A::member; (this->*m)(); }
  Hook hook{one};
};
int main() {
  A<int>::deduced();
  A<char>::typed();
  A<float>::chosen();
  A<double>::cast();
  A<long>::given();
  A<short>::member_given();
  static_cast<A<bool> *>(nullptr)->listed();
  static_cast<A<unsigned> *>(nullptr)->assigned();
  A<unsigned char> a;
}
