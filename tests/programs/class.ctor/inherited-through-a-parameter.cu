// [class.qual] a using-declaration that names the constructors of a base by a template parameter
template <class T, int N> __global__ void k() {}
struct Root { template <class U> Root(U *, int) { k<U, 1><<<1, 1>>>(); } };
struct Next : Root { using Root::Root; };
template <class B> struct Mixed : B { using B::B; };
template <class T> struct Base { explicit Base(T) { k<T, 2><<<1, 1>>>(); } };
template <class T> struct Derived : Base<T> { using Base<T>::Base; };
template <class T, class... A> void made(A... a) { T t(a...); }
template <class T, class... A> T *allocated(A... a) { return new T(a...); }
int main() {
  Next a(static_cast<int *>(nullptr), 1);
  Mixed<Root> b(static_cast<float *>(nullptr), 1);
  Mixed<Mixed<Root>> c(static_cast<long *>(nullptr), 1);
  made<Derived<unsigned>>(1u);
  allocated<Derived<short>>(1);
}
