// [temp.expl.spec], [basic.scope.pdecl] functions of one name
template <class T, int N> __global__ void k() {}
template <class T> void f(T) { k<T, 1><<<1, 1>>>(); }
template <> void f(int) { k<int *, 2><<<1, 1>>>(); }
template <> void f<char>(char) { k<char *, 3><<<1, 1>>>(); }
namespace a { template <class T> void go(T x) { k<T, 4><<<1, 1>>>(); } }
namespace b { template <class T> void go(T x, int) { a::go(x); } template <class T> void go(T x, int, int) { go(x, 1); } }
namespace c { using a::go; template <class T> void go(T x, char *) { go(x); } }
namespace d { template <class T> void go(T *x) { using namespace a; a::go(*x); } template <class T> void go(T **x) { go(*x); } }
template <class T> T rec(T n) { if (n) { return rec(n - 1); } k<T, 5><<<1, 1>>>(); return n; }
template <class T> auto tr(T x) -> decltype(x + 1);
template <class T> auto tr(T x) -> decltype(x + 1) { k<T, 6><<<1, 1>>>(); return x + 1; }
template <class T, class U = decltype(tr(T()))> void def(T x) { tr(x); k<U, 7><<<1, 1>>>(); }
template <class T> void ov(T x, float) { k<T, 8><<<1, 1>>>(); }
template <class T> void ov(T x) { ov(x, 1.f); }
template <class T> void ov() { ov(T()); }
template <class T> __global__ void init(T *) {}
template <> __global__ void init(double *) {}
template <class T> void hid(T) { k<T, 9><<<1, 1>>>(); }
template void hid(long);
template void hid<short>(short);
template <class T> struct H { friend void hid(H) { ::hid(1u); } };
void (*table[])(float) = {hid, hid<float>};
int main() { f(1); f('a'); f(1.f); b::go(1, 2); b::go('a', 2, 3); c::go(1.5, (char *)0); short s; short *p = &s; d::go(&p); rec(3); def(1); ov<float>(); init<double><<<1, 1>>>(0); init<<<1, 1>>>((int *)0); hid(H<int>()); }
