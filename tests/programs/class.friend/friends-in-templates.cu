// [class.friend] friends: qualified, in parentheses, by pointer, of nested templates, with default arguments
template <class T, int N> __global__ void k() {}
namespace n {
template <class T> struct S;
template <class T> void decl(S<T>);
template <class T> struct S { template <class U> friend void decl(S<U>); friend void in(S) { k<T, 2><<<1, 1>>>(); } friend void cnv(const S &, double) { k<T, 3><<<1, 1>>>(); } S(int = 0) {} static void call(S s) { in(s); } };
template <class T> void decl(S<T>) { k<T, 1><<<1, 1>>>(); }
template <class T> struct R { operator S<T>() const { return S<T>(); } };
template <class T> struct M { S<T> s; friend void through(M &m) { in(m.s); } friend auto ret(M m) { k<T, 4><<<1, 1>>>(); return m.s; } };
}
template <class T> void f(T s) { n::decl(s); in(s); cnv(s, 1); T::call(s); }
template <class... T> void pack(T... s) { (in(s), ...); }
template <class T> void lam(T s) { auto g = [](auto x) { in(x); }; g(s); }
struct Fn { template <class T> void operator()(T x) const { cnv(x, 2); } };
template <class F, class T> void ap(F f, T x) { f(x); }
int main() { f(n::S<int>()); pack(n::S<char>(), n::S<long>()); lam(n::S<float>()); ap(Fn(), n::S<short>()); n::M<bool> m; through(m); in(ret(m)); }
