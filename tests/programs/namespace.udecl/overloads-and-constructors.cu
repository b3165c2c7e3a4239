// [namespace.udecl] using-declarations of overload sets and inherited constructors
template <class T, int N> __global__ void k() {}
namespace a { template <class T> void go(T) { k<T, 1><<<1, 1>>>(); } void go(int) { k<int, 2><<<1, 1>>>(); } }
namespace b { using a::go; template <class T> void go(T *) { k<T, 3><<<1, 1>>>(); } }
template <class T> struct Base { Base(T) { k<T, 4><<<1, 1>>>(); } template <class U> Base(U, T) { k<U, 5><<<1, 1>>>(); } };
template <class T> struct Derived : Base<T> { using Base<T>::Base; };
int main() {
  b::go(1);
  b::go('c');
  float f;
  b::go(&f);
  Derived<double> d(1.0);
  Derived<long> e('x', 2L);
}
