// [class.qual] qualified members behind objects, using-declarations, injected names
template <class T, int N> __global__ void k() {}
template <class T> struct B { void m() { k<T, 1><<<1, 1>>>(); } static void s() { k<T, 2><<<1, 1>>>(); } };
template <class T> struct C : B<T> { void m() { this->B<T>::m(); } void n() { B<T>::s(); } void o() { C<T>::B::m(); } };
template <class T> struct E : C<T> { using C<T>::n; void p() { this->n(); } };
template <class T> void call(C<T> c) { c.template B<T>::m(); c.C<T>::n(); }
template <class T> void call2(C<T> *c) { c->B<T>::s(); }
struct Plain : B<long> { void go() { B<long>::m(); B::s(); } };
template <class P> void viaParam(P p) { p.P::go(); }
struct Tpl { template <class T> void go2() { k<T, 3><<<1, 1>>>(); } };
template <class T> void t3(Tpl x) { x.Tpl::go2<T>(); x.template go2<T *>(); }
namespace N { template <class T> struct S { static constexpr auto f = &k<T, 4>; }; }
template <class T> void val() { auto p = N::S<T>::f; p<<<1, 1>>>(); }
using namespace N;
template <class T> void val2() { (*S<T>::f)<<<1, 1>>>(); }
int main() { C<int> c; c.m(); c.n(); c.o(); E<char> e; e.p(); call(C<float>()); call2(&c); viaParam(Plain()); t3<short>(Tpl()); val<int>(); val2<char>(); }
