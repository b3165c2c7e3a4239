// [temp.inst] objects of a template parameter's type, created and returned, run the constructors of its class
template <class T, int N> __global__ void k() {}
template <class T> struct Opt {
  Opt() { k<T, 1><<<1, 1>>>(); }
  void run() { k<T, 3><<<1, 1>>>(); }
};
template <class T> void local() { T t; }
template <class T> void temporary() { T(); }
template <class T> void allocated() { new T; }
template <class T> void used() { T t; t.run(); }
template <class T> T from_braces() { return {}; }
template <class T> T from_parentheses() { return T(); }
template <class T> T from_variable() { T t; return t; }
template <class T> struct Hold { T t; };
template <class T> struct Derived : T {};
int main() {
  local<Opt<double>>();
  temporary<Opt<float>>();
  allocated<Opt<int>>();
  used<Opt<short>>();
  from_braces<Opt<double *>>();
  from_parentheses<Opt<float *>>();
  from_variable<Opt<int *>>();
  Hold<Opt<char>> hold;
  Derived<Opt<bool>> derived;
}
