// [temp.arg] pointers to members as arguments, called through objects
template <class T, int N> __global__ void k() {}
struct S {
  template <class T> void run(T) { k<T, 1><<<1, 1>>>(); }
  void plain() { k<S, 2><<<1, 1>>>(); }
  int field;
};
template <void (S::*M)(int)> void call(S &s) { (s.*M)(1); k<char, 3><<<1, 1>>>(); }
template <class C, class T, T C::*M> struct Field { static void go() { k<T, 4><<<1, 1>>>(); } };
int main() {
  S s;
  call<&S::run<int>>(s);
  Field<S, int, &S::field>::go();
}
