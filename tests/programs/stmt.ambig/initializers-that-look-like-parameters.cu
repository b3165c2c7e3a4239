// [dcl.ambig.res] an object whose initializer looks like the parameters of a function, and functions that are declared
template <class T, int N> __global__ void k() {}
template <class T> struct Buffer { Buffer(int n) { k<T, 1><<<1, 1>>>(); } };
template <int N> struct Tagged {};
struct Type {};
int f(int);
template <class T> struct Alias { using type = T; };
template <class T> void declares() {
  Buffer<Tagged<100>> a(T * m);
  Buffer<Tagged<101>> b(typename Alias<T>::type * m);
  Buffer<Tagged<102>> c(T && m);
  Buffer<Tagged<103>> d(T(*m)(int));
}
int main() {
  int n = 2, m = 3, table[2] = {1, 2}, *p = table;
  Buffer<Tagged<0>> a(n * m);
  Buffer<Tagged<1>> b(n & m);
  Buffer<Tagged<2>> c(n && m);
  Buffer<Tagged<3>> d(n * f(m));
  Buffer<Tagged<4>> e(n * table[1]);
  Buffer<Tagged<5>> g(n * (m));
  Buffer<Tagged<6>> h(n * *p);
  Buffer<Tagged<7>> i(n & *p);
  Buffer<Tagged<8>> j(Type * m);
  Buffer<Tagged<9>> l(Type & m, Type && n);
  Buffer<Tagged<10>> o((n) * m);
  Buffer<Tagged<11>> q(n);
  declares<int>();
}
