// [temp.arg.nontype] member functions of class templates that are template arguments by themselves
template <class T, int N> __global__ void k() {}
template <class T, void (*F)()> struct Caller { static void go() { F(); } };
template <class T> struct A {
  static void one() { k<T, 1><<<1, 1>>>(); }
  void member() { k<T, 2><<<1, 1>>>(); }
  template <void (A::*M)()> void run() { (this->*M)(); }
  template <void (*F)()> static void call() { F(); }
  static void by_name() { Caller<T, one>::go(); }
  static void by_address() { Caller<T, &A::one>::go(); }
  void of_member() { run<&A::member>(); }
  static void of_function() { call<one>(); }
};
int main() {
  A<int>::by_name();
  A<char>::by_address();
  static_cast<A<float> *>(nullptr)->of_member();
  A<short>::of_function();
}
