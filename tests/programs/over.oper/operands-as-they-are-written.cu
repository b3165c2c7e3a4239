// [over.oper] operands as they are written
template <class T, int N> __global__ void k() {}
template <class T> struct V { T x; };
template <class T> struct W { };
struct P { };
template <class T> void operator+(V<T>, V<T>) { k<T, 1><<<1, 1>>>(); }
template <class T> void operator-(const V<T> &, T) { k<T, 2><<<1, 1>>>(); }
template <class T> void operator*(V<T> const *, W<T>) { k<T, 3><<<1, 1>>>(); }
template <class T> void operator/(V<T> (&)[2], W<T> &&w) { k<T, 4><<<1, 1>>>(); }
template <class T, template <class> class C> void operator%(C<T> V, P W) { k<T, 5><<<1, 1>>>(); }
template <class T> struct Q { void operator<<(P) { k<T, 6><<<1, 1>>>(); } template <class U> void operator>>(U Q) { k<U, 7><<<1, 1>>>(); } };
template <class... T> void operator&(P P, W<T>... W) { k<int, 8><<<1, 1>>>(); }
template <class T> void operator^(struct P const, V<T> const volatile &v) { k<T, 9><<<1, 1>>>(); }
template <class A, class B> void use(A a, B b) { a + b; }
int main() {
  V<int> v; V<char> a[2]; use(v, v); v - 1; W<int> w; a / W<char>(); w % P(); Q<float> q; q << P(); q >> 1L; P() & W<bool>(); P() ^ v;
}
