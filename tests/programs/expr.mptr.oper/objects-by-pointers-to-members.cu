// [expr.mptr.oper] calls of objects that pointers to data members and to member functions give
template <class T> __global__ void k(T) {}
struct F { template <class T> void operator()(T t) const { k<T><<<1, 1>>>(t); } };
struct H { F f; F *p; F list[2]; void (*function)(int); F &go(int) { return f; } };
template <class T> void by(F H::*m, H &h, T t) { (h.*m)(t); }
template <class A, class T> void any(A H::*m, H *h, T t) { (h->*m)(t); }
template <class C, class A, class T> void named(A C::*m, const C &h, T t) { auto &one = h.*m; one(t); }
template <class T> void made(T t) { H h; auto way = &H::go; auto &one = (h.*way)(0); one(t); }
template <class C, class R> void function(R (C::*m)(int), C &c) { (c.*m)(1)(1ull); }
void host(H &h) {
    by(&H::f, h, 1);
    any(&H::f, &h, 2.0f);
    named(&H::f, h, 'c');
    F H::*variable = &H::f;
    (h.*variable)(2.0);
    function(&H::go, h);
    auto &[a, b, c, d] = h;
    a(1u);
    for (auto &one : h.list) one((short)2);
    made(1L);
}
