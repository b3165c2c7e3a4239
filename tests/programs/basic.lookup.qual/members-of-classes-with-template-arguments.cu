// [class.qual] members of classes that are named with template arguments
template <class T, int N> __global__ void k() {}
template <class T> struct X { static void m() { k<T, 1><<<1, 1>>>(); } template <class U> static void t() { k<U, 2><<<1, 1>>>(); } };
template <class T> using A = X<T>;
template <class T> struct D : X<T> {};
template <class T> struct DA : A<T> {};
template <class T> struct Y { static void m(); };
template <class T> struct Late { static void m() {} };
template <class T> void byAlias() { A<T>::m(); }
template <class T> void byDerived() { D<T>::m(); }
template <class T> void byDerivedAlias() { DA<T>::m(); }
template <class T> void byTemplate() { X<T>::template t<long>(); }
template <class T> void byLate() { Late<T>::m(); }
template <class T> void byY() { Y<T>::m(); }
template <class T> struct Y<T *> { static void m() { k<T, 3><<<1, 1>>>(); } };
template <class T> void Y<T>::m() { k<T, 4><<<1, 1>>>(); }
template <> struct Late<short> { static void m() { k<short, 5><<<1, 1>>>(); } };
template <class T> struct Outer { template <class U> struct In { static void m() { k<U, 6><<<1, 1>>>(); } }; struct P { static void m() { k<T, 7><<<1, 1>>>(); } }; using Q = X<T *>; };
template <class T> void nested() { Outer<T>::template In<T>::m(); Outer<T>::P::m(); Outer<T>::Q::m(); }
template <class O, class T> void dependent() { O::template In<T>::m(); }
namespace ns { template <class T> struct X { static void m() { k<T, 8><<<1, 1>>>(); } }; }
template <class T> void inNs() { ns::X<T>::m(); ::ns::X<T **>::m(); }
struct Base { static void plain(); };
template <class T> struct FromParam : T { void run() { FromParam<T>::go(); } };
struct Goes { template <class U = int> static void go() { k<U, 9><<<1, 1>>>(); } };
int main() {
  byAlias<char>(); byDerived<int>(); byDerivedAlias<float>(); byTemplate<double>(); byLate<short>(); byY<int *>(); byY<int>();
  nested<unsigned>(); dependent<Outer<int>, bool>(); inNs<char>(); FromParam<Goes>().run();
}
