//! Template argument deduction, overload resolution, and the instantiations that mentions cause.

use super::{Fixture, each_instantiates, instantiations, types};
use crate::facts::facts;

#[test]
fn deduction_from_calls() {
    types(
        "template <class T> struct X { }; template <class T> X<T> v(T); template <class T> X<T> p(T *); template <class T> X<T> cp(const T *); template <class T> X<T> r(T &); template <class T> X<T> cr(const T &); template <class T, int N> struct A { }; template <class T, int N> A<T, N> arr(T (&)[N]);
         template <class T, class U> X<U> two(T, U); template <class T, class U = T *> X<U> deflt(T); template <class T> X<T> fn(T (*)(int)); template <class T> X<T> nested(X<X<T>>); template <class... Ts> struct P { }; template <class... Ts> P<Ts...> pack(Ts...);
         template <class T> struct B { }; struct D : B<short> { }; template <class T> X<T> base(B<T>); template <template <class> class F, class T> X<T> tt(F<T>); template <class T> struct S { template <class U> A<U, sizeof(T)> m(U); static X<T> s(); T t; X<T> self(); };
         int i; const int ci = 1; float f[4]; const char *s; double g(int); X<X<long>> xx; int &ref = i; S<double> sd; S<char> *sp; enum E { e0 }; unsigned char uc; short sh; bool bo;
         using a = decltype(v(1)); using b = decltype(v(ci)); using c = decltype(v(f)); using d = decltype(p(f)); using e = decltype(p(s)); using h = decltype(cp(s)); using j = decltype(r(ci)); using k = decltype(r(f)); using l = decltype(cr(ref)); using m = decltype(arr(f));
         using n = decltype(two<int>(1.0, 2.f)); using o = decltype(deflt('c')); using q = decltype(fn(g)); using t = decltype(nested(xx)); using u = decltype(pack(1, 2u, s)); using x = decltype(base(D())); using y = decltype(tt(xx));
         using z = decltype(sd.m(1)); using aa = decltype(sp->m(1.f)); using ab = decltype(S<int>::s()); using ac = decltype(v(e0)); using ad = decltype(v(uc + sh)); using ae = decltype(v(-bo)); using af = decltype(v(sd.t)); using ag = decltype(sd.self().self); using ah = decltype(v(i ? 1 : 2.0));
         using ai = decltype(v(&g)); using aj = decltype(pack<char>(1, 2)); using ak = decltype(v<long>(1)); using al = decltype(v(\"text\")); using am = decltype(v(i == 1)); using an = decltype(v(f + 1)); using ao = decltype(v(f[1])); using ap = decltype(v(*s)); using aq = decltype(v(static_cast<short>(1)));",
        "a = X<int>
         b = X<int>
         c = X<float *>
         d = X<float>
         e = X<const char>
         h = X<char>
         j = X<const int>
         k = X<float [4]>
         l = X<int>
         m = A<float, 4>
         n = X<float>
         o = X<char *>
         q = X<double>
         t = X<long>
         u = P<int, unsigned int, const char *>
         x = X<short>
         y = X<X<long>>
         z = A<int, 8>
         aa = A<float, 1>
         ab = X<int>
         ac = X<E>
         ad = X<int>
         ae = X<int>
         af = X<double>
         ah = X<double>
         ai = X<double (*)(int)>
         aj = P<char, int>
         ak = X<long>
         al = X<const char *>
         am = X<bool>
         an = X<float *>
         ao = X<float>
         ap = X<char>
         aq = X<short>",
    );
}

#[test]
fn default_template_arguments_do_not_stand_for_arguments_of_unknown_types() {
    types(
        "template <class...> struct X { }; template <class T, class U = X<int>> X<T, U> one(T const &, U const & = {}); template <class T, class U = X<int>> X<T, U> of(T, X<U> = {});
         template <class T, class... Us> X<Us...> pack(T, Us...); template <class T, class U = char> X<T, U> none(T); template <int N = 3, class T> X<T[N]> length(T, T (&)[N]); int i;
         using a = decltype(one(1)); using b = decltype(one(1, {})); using c = decltype(one(1, 2.0)); using d = decltype(one(1, unknown(i))); using e = decltype(of(1, unknown(i))); using f = decltype(of(1)); using g = decltype(none(1)); using h = decltype(length(1, unknown(i)));",
        "a = X<int, X<int>>
         b = X<int, X<int>>
         c = X<int, double>
         f = X<int, X<int>>
         g = X<int, char>",
    );
}

#[test]
fn overloads_are_chosen_by_their_arguments() {
    types(
        "template <int N> struct R { }; R<1> f(int); R<2> f(double); template <class T> R<3> f(T); template <class T> R<4> f(T *); R<5> f(int, int = 0); R<6> g(const float *); R<7> g(const double *); template <class T> R<8> h(T, T); R<9> h(double, int); R<10> many(...); R<11> conv(long); enum class E { a }; R<12> en(E); R<13> en(int);
         template <bool B, class T = void> struct enable_if { }; template <class T> struct enable_if<true, T> { using type = T; }; template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
         template <int N> enable_if_t<(N > 3), R<20>> res(); template <int N> enable_if_t<(N <= 3), R<21>> res(); template <int N, class = enable_if_t<(N > 3)>> R<22> arg(); template <int N, enable_if_t<(N <= 3), int> = 0> R<23> arg(); template <int N> R<24> par(enable_if_t<(N > 3)> * = nullptr); template <int N> R<25> par(enable_if_t<(N <= 3)> * = nullptr);
         template <int N> typename enable_if<N == 1, R<26>>::type old(int); template <int N> typename enable_if<N != 1, R<27>>::type old(int); struct S { R<30> m(int); R<31> m(double) const; template <class T> R<32> m(T *); } s; float *fp; double *dp; namespace n { R<40> f(int); }
         using a = decltype(f(1)); using b = decltype(f(1.0)); using c = decltype(f(1.f)); using d = decltype(f(fp)); using e = decltype(f('c')); using g1 = decltype(g(fp)); using g2 = decltype(g(dp)); using h1 = decltype(h(1, 2)); using h2 = decltype(h(1.0, 2)); using i = decltype(conv(1)); using j = decltype(en(E::a)); using k = decltype(en(3));
         using l = decltype(res<4>()); using m = decltype(res<3>()); using n1 = decltype(arg<4>()); using n2 = decltype(arg<3>()); using o = decltype(par<4>()); using p = decltype(par<3>()); using q = decltype(old<1>(0)); using r = decltype(old<2>(0)); using t = decltype(s.m(1)); using u = decltype(s.m(2.0)); using v = decltype(s.m(fp)); using w = decltype(f<int>(3)); using x = decltype(n::f(3)); using y = decltype(f(1, 2));",
        "b = R<2>
         c = R<3>
         d = R<4>
         e = R<3>
         g1 = R<6>
         g2 = R<7>
         h1 = R<8>
         h2 = R<9>
         i = R<11>
         j = R<12>
         k = R<13>
         l = R<20>
         m = R<21>
         n1 = R<22>
         n2 = R<23>
         o = R<24>
         p = R<25>
         q = R<26>
         r = R<27>
         t = R<30>
         u = R<31>
         v = R<32>
         w = R<3>
         x = R<40>
         y = R<5>",
    );
}

#[test]
fn mentions_that_instantiate() {
    let mentions = [
        "void f() { k<real><<<1, 1>>>(nullptr); }",
        "void f(real *p) { k<<<1, 1>>>(p); }",
        "inline void f() { k<real><<<1, 1>>>(nullptr); }",
        "static void f() { if (false) k<real><<<1, 1>>>(nullptr); }",
        "void f() { (void)&k<real>; }",
        "void f() { void (*p)(real *) = k<real>; }",
        "void (*table[])(real *) = { k<real>, nullptr };",
        "void g(void *); void f() { g((void *)k<real>); }",
        "struct S { void f() { k<real><<<1, 1>>>(nullptr); } };",
        "struct S { virtual void f(); }; void S::f() { k<real><<<1, 1>>>(nullptr); }",
        "struct S { struct I { ~I() { k<real><<<1, 1>>>(nullptr); } }; };",
        "struct S { S() : x((k<real><<<1, 1>>>(nullptr), 1)) { } int x; };",
        "template <void (*F)(real *)> void run() { } void f() { run<&k<real>>(); }",
        "template <auto F> struct Run { }; void f() { Run<k<real>> r; }",
        "template <class F> void call(F); void f() { call(k<real>); }",
        "template __global__ void k<real>(real *);",
        "template __global__ void k(real *);",
        "template <class T> struct X { void f() { k<T><<<1, 1>>>(nullptr); } }; template struct X<real>;",
        "template <class T> void f() { k<T><<<1, 1>>>(nullptr); } template void f<real>();",
        "template <class T> void f() { k<T><<<1, 1>>>(nullptr); } void g() { f<real>(); }",
        "template <class T> void f(T *p) { k<<<1, 1>>>(p); } void g(real *p) { f(p); }",
        "template <class T> struct X { void f() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real> x; x.f(); }",
        "template <class T> struct X { static void f() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real>::f(); }",
        "template <class T> struct X { X() { k<T><<<1, 1>>>(nullptr); } }; X<real> x;",
        "template <class T> struct X { ~X() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real> x; }",
        "template <class T> struct X { X(T *) { k<T><<<1, 1>>>(nullptr); } }; void g(real *p) { X<real>{p}; }",
        "template <class T> struct X { void operator()() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real>()(); }",
        "template <class T> struct X { void f(); }; template <class T> void X<T>::f() { k<T><<<1, 1>>>(nullptr); } void g(X<real> &x) { x.f(); }",
        "template <class T> struct B { void f() { k<T><<<1, 1>>>(nullptr); } }; template <class T> struct D : B<T> { void g() { this->f(); } }; void h(D<real> *d) { d->g(); }",
        "template <class T> struct B { void f() { k<T><<<1, 1>>>(nullptr); } }; struct D : B<real> { }; void h(D *d) { d->f(); }",
        "void f() { auto l = [&](auto x) { k<real><<<1, 1>>>(nullptr); }; l(1); }",
        "template <class F> void dispatch(F f); void f() { dispatch([&] { dispatch([&] { k<real><<<1, 1>>>(nullptr); }); }); }",
        "void f(int n) { switch (n) { case 1: k<real><<<1, 1>>>(nullptr); } }",
        "void f(int n) { for (int i = 0; i < n; i++) { k<real><<<1, 1>>>(nullptr); } }",
        "void f() try { k<real><<<1, 1>>>(nullptr); } catch (...) { }",
        "namespace n { namespace { void f() { ::k<real><<<1, 1>>>(nullptr); } } }",
        "extern \"C\" void f() { k<real><<<1, 1>>>(nullptr); }",
        "void f() { using T = real; k<T><<<1, 1>>>(nullptr); }",
        "void f() { struct L { void g() { k<real><<<1, 1>>>(nullptr); } }; }",
        "void f() { void *args[] = { nullptr }; cudaLaunchKernel((const void *)k<real>, 1, 1, args, 0, 0); }",
        "void f() { cudaFuncSetAttribute(k<real>, 1, 2); }",
        "void f() { auto kernel = &k<real>; kernel<<<1, 1>>>(nullptr); }",
        "#define RUN(...) __VA_ARGS__<<<1, 1>>>(nullptr)\nvoid f() { RUN(k<real>); }",
        "int g(void *); int x = g((void *)&k<real>);",
        "void f(int n) { return n ? k<real><<<1, 1>>>(nullptr) : void(); }",
        "namespace std { template <class... T> class variant { }; template <class F, class... V> void visit(F &&, V &&...); } void g(std::variant<real> &v) { std::visit([](auto x) { k<decltype(x)><<<1, 1>>>(nullptr); }, v); }",
        "template <class T> struct X { void f(); }; template <class T> void X<T>::f() { k<T><<<1, 1>>>(nullptr); } template void X<real>::f();",
        "template <class T> struct X { static constexpr auto t = &k<T>; }; void g() { X<real>::t<<<1, 1>>>(nullptr); }",
        "template <class T> constexpr auto v = &k<T>; void g() { v<real><<<1, 1>>>(nullptr); }",
        "template <class T> struct X { void f(); }; template <class T> void X<T>::f() { k<T><<<1, 1>>>(nullptr); } extern template struct X<real>; void g(X<real> x) { x.f(); } template struct X<real>;",
        "template <class T> void f() { if constexpr (sizeof(T) > 1) k<T><<<1, 1>>>(nullptr); } void g() { f<real>(); }",
        "template <class T> void f() { if constexpr (sizeof(T) < 2) { } else if constexpr (sizeof(T) < 9) { k<T><<<1, 1>>>(nullptr); } } void g() { f<real>(); }",
    ];
    each_instantiates(&mentions, "host: k<double, 1>\nsm_80: k<float, 1>");
}

#[test]
fn mentions_that_do_not_instantiate() {
    let mentions = [
        "using F = decltype(&k<real>);",
        "void f() { decltype(k<real>(nullptr)) *p; }",
        "void f() { if constexpr (false) k<real><<<1, 1>>>(nullptr); }",
        "void f() { if constexpr (sizeof(int) == 4) { } else if constexpr (true) k<real><<<1, 1>>>(nullptr); }",
        "void f() { if constexpr (sizeof(int) == 4) { } else if constexpr (true) { } else { k<real><<<1, 1>>>(nullptr); } }",
        "template <class T> void f() { k<real><<<1, 1>>>(nullptr); }",
        "template <class T> struct X { void f() { k<real><<<1, 1>>>(nullptr); } void g() { } }; void g() { X<int> x; x.g(); }",
        "template <class T> struct X { template <class U> void f() { k<real><<<1, 1>>>(nullptr); } }; template struct X<int>;",
        "template <class T> struct X { X() { k<real><<<1, 1>>>(nullptr); } }; void g(X<int> *p); X<int> *q;",
        "template <class T> struct X { void f(); }; template <class T> void X<T>::f() { k<T><<<1, 1>>>(nullptr); } extern template struct X<real>; void g(X<real> x) { x.f(); }",
        "template <class T> struct X { void f(); }; template <class T> void X<T>::f() { k<T><<<1, 1>>>(nullptr); } extern template void X<real>::f(); void g(X<real> x) { x.f(); }",
        "extern template __global__ void k<real>(real *); void f() { k<real><<<1, 1>>>(nullptr); }",
        "template <class T> void f() { if constexpr (sizeof(T) > 8) k<T><<<1, 1>>>(nullptr); } void g() { f<real>(); }",
        "constexpr bool on = false; void f() { if constexpr (on && sizeof(real)) { k<real><<<1, 1>>>(nullptr); } }",
        "void f() { (void)sizeof(k<real>(nullptr)); (void)noexcept(k<real>(nullptr)); }",
    ];
    each_instantiates(&mentions, "");
}

#[test]
fn definitions_stand_elsewhere() {
    let found = [
        "template <class T> struct X { template <int N> void f(T *); }; template <class T> template <int N> void X<T>::f(T *) { k<T, N><<<1, 1>>>(nullptr); } void g(X<real> &x) { x.f<1>(nullptr); }",
        "struct X { template <class T> void f(T *); void g(real *p) { this->f(p); } }; template <class T> void X::f(T *) { k<T><<<1, 1>>>(nullptr); }",
        "template <class T> struct X { ~X(); }; template <class T> X<T>::~X() { k<T><<<1, 1>>>(nullptr); } void g() { X<real> x; }",
        "template <class T> struct X { struct I { void f(); }; }; template <class T> void X<T>::I::f() { k<T><<<1, 1>>>(nullptr); } void g(X<real>::I i) { i.f(); }",
        "template <class T> struct X { struct I; }; template <class T> struct X<T>::I { void f() { k<T><<<1, 1>>>(nullptr); } }; void g(X<real>::I i) { i.f(); }",
        "template <class T> struct X { struct I { void f() { k<T><<<1, 1>>>(nullptr); } }; }; template struct X<real>;",
        "template <class T> struct X { void f(); }; template <class T> struct X<T *> { void f(); }; template <class T> void X<T>::f() { } template <class T> void X<T *>::f() { k<T><<<1, 1>>>(nullptr); } void g(X<real *> x) { x.f(); }",
        "template <class T> struct X { void f(); void f(int); }; template <class T> void X<T>::f(int) { k<T><<<1, 1>>>(nullptr); } template <class T> void X<T>::f() { k<T, 2><<<1, 1>>>(nullptr); } void g(X<real> x) { x.f(1); }",
        "namespace n { template <class T> void f(T *); namespace m { } } template <class T> void n::f(T *p) { k<<<1, 1>>>(p); } void g(real *p) { n::f(p); }",
        "namespace n { inline namespace v { template <class T> void f(T *); } } namespace n { template <class T> void v::f(T *p) { k<<<1, 1>>>(p); } } void g(real *p) { n::f(p); }",
        "namespace n { template <class T> void f(T *p) { k<<<1, 1>>>(p); } void g(real *); } void n::g(real *p) { f(p); }",
        "template <class T> void f(T *); template <class T> void f(T *p) { k<<<1, 1>>>(p); } template void f(real *);",
        "template <class T> void f(T); template <class T> void f(T *p) { k<<<1, 1>>>(p); } template void f(real *);",
        "template <class T> void f(T *, int = 1); template <class T> void f(T *p, int) { k<<<1, 1>>>(p); } void g(real *p) { f(p); }",
        "template <class T> class X; template <class T> void f(X<T> &); template <class T> class X { friend void f<T>(X<T> &); }; template <class T> void f(X<T> &) { k<T><<<1, 1>>>(nullptr); } void g(X<real> &x) { f(x); }",
        "template <class T> int f() { k<T><<<1, 1>>>(nullptr); return 1; } struct X { template <class T> static int m; }; template <class T> int X::m = f<T>(); int g() { return X::m<real>; }",
        "template <class T> struct X { void f() { k<T, 2><<<1, 1>>>(nullptr); } }; template <> void X<real>::f() { k<real><<<1, 1>>>(nullptr); } void g() { X<real>().f(); }",
        "template <class T> struct X { void f() { k<T><<<1, 1>>>(nullptr); } }; template <> void X<int>::f() { } void g() { X<real>().f(); X<int>().f(); }",
        "template <class T> void f() { k<T><<<1, 1>>>(nullptr); } template <> void f<int>(); void g() { f<int>(); f<real>(); }",
    ];
    each_instantiates(&found, "host: k<double, 1>\nsm_80: k<float, 1>");
    let replaced = [
        "template <class T> struct X { void f() { k<real><<<1, 1>>>(nullptr); } }; template <> void X<int>::f(); void g() { X<int>().f(); }",
        "template <class T> void f() { k<real><<<1, 1>>>(nullptr); } template <> void f<int>(); void g() { f<int>(); }",
        "template <class T> void f(T *) { k<real><<<1, 1>>>(nullptr); } void g(int *p) { f(p); } template <> void f(int *) { }",
        "template <class T> struct X { void f(); void f(int); }; template <class T> void X<T>::f(int) { k<real><<<1, 1>>>(nullptr); } void g(X<int> x) { x.f(); }",
        "namespace n { template <class T> void f(T); } namespace m { template <class T> void f(T); } template <class T> void m::f(T) { k<real><<<1, 1>>>(nullptr); } void g() { n::f(1); }",
    ];
    each_instantiates(&replaced, "");
}

#[test]
fn a_macro_of_a_missing_header_may_stand_in_a_declaration() {
    let found = [
        "struct X { HD X(int n) : a(n) { k<real><<<1, 1>>>(nullptr); } int a; };",
        "struct X { HD X(int n) noexcept : a(n) { k<real><<<1, 1>>>(nullptr); } int a; };",
        "struct X { HD X(int n) { k<real><<<1, 1>>>(nullptr); } };",
        "struct X { HD explicit X(int n) : a(n) { k<real><<<1, 1>>>(nullptr); } int a; };",
        "struct X { explicit HD X(int n) : a(n) { k<real><<<1, 1>>>(nullptr); } int a; };",
        "struct X { HD FORCE X(int n) : a(n) { k<real><<<1, 1>>>(nullptr); } int a; };",
        "struct X { X(int n); int a; }; HD X::X(int n) : a(n) { k<real><<<1, 1>>>(nullptr); }",
        "struct X { X(int n); int a; }; HD FORCE X::X(int n) : a(n) { k<real><<<1, 1>>>(nullptr); }",
        "struct X { template <class T> HD X(T *p) : a(1) { k<T><<<1, 1>>>(p); } int a; }; void g(real *p) { X x(p); }",
        "template <class T> struct X { HD X() : a() { k<T><<<1, 1>>>(nullptr); } T a; }; void g() { X<real> x; }",
        "template <class T> struct X { HD X(T n); T a; }; template <class T> HD X<T>::X(T n) : a(n) { k<T><<<1, 1>>>(nullptr); } void g() { X<real> x(1); }",
        "template <class T> struct X { HD X(T n); }; template <class T> HD X<T>::X(T n) { k<T><<<1, 1>>>(nullptr); } void g() { X<real> x(1); }",
        "template <class T> struct X { HD ~X(); }; template <class T> HD X<T>::~X() { k<T><<<1, 1>>>(nullptr); } void g() { X<real> x; }",
        "struct X { HD operator int() const { k<real><<<1, 1>>>(nullptr); return 1; } };",
        "struct X { HD X &operator=(const X &) { k<real><<<1, 1>>>(nullptr); return *this; } };",
        "class API X { public: void f() { k<real><<<1, 1>>>(nullptr); } };",
        "struct TAG { real a; }; void g() { struct TAG x {1}; k<<<1, 1>>>(&x.a); }",
        "template <class T> class API X { public: void f() { k<T><<<1, 1>>>(nullptr); } }; void g() { X<real>().f(); }",
        "template <class T> struct X { void f() { k<T><<<1, 1>>>(nullptr); } }; template class API X<real>;",
        "template <class T> void f(T) { k<T><<<1, 1>>>(nullptr); } template API void f<real>(real);",
        "template API __global__ void k<real>(real *);",
        "LIBRARY_BEGIN\ntemplate <class T> void f() { k<T><<<1, 1>>>(nullptr); }\nLIBRARY_END\nvoid g() { f<real>(); }",
        "LIBRARY_BEGIN\nnamespace n { template <class T> void f() { k<T><<<1, 1>>>(nullptr); } }\nLIBRARY_END\nvoid g() { n::f<real>(); }",
        "LIBRARY_BEGIN\ntemplate <class T> struct X { void f() { k<T><<<1, 1>>>(nullptr); } };\nLIBRARY_END\nvoid g() { X<real>().f(); }",
        "template <class T> REQUIRES(sizeof(T) > 1) void f(T) { k<T><<<1, 1>>>(nullptr); } void g(real r) { f(r); }",
        "template <class T REQUIRES(sizeof(T) > 1)> void f() { k<T><<<1, 1>>>(nullptr); } void g() { f<real>(); }",
        "template <class T> HD FORCE typename T::type f() { k<typename T::type><<<1, 1>>>(nullptr); return 1; } struct A { using type = real; }; void g() { f<A>(); }",
        "void f() ATTRIBUTE(1) { k<real><<<1, 1>>>(nullptr); }",
        "void f(int n, real *p) { SWITCH(n, T, k<real><<<1, 1>>>(p);) }",
        "void f(int n, real *p) { SWITCH(n, T, { k<real><<<1, 1>>>(p); }) }",
        "void f(int n, real *p) { SWITCH(n, T, SWITCH(n, U, k<real><<<1, 1>>>(p); n++;)) }",
        "void f(int n, real *p) { SWITCH(n, T, { SWITCH(n, U, k<real><<<1, 1>>>(p);) }) }",
        "void f(int n, real *p) { if (n) SWITCH(n, T, int a = n; return k<real><<<1, 1>>>(p)) else n++; }",
        "template <class T> int g(T *p) { k<T><<<1, 1>>>(p); return 1; } void f(int n, real *p) { EACH(int, i, n, g<real>(p)) { n++; } }",
        "template <class T> void f(IN const T *b, OUT T &c) { k<T><<<1, 1>>>(nullptr); } void g(real *p, real q) { f(p, q); }",
    ];
    each_instantiates(&found, "host: k<double, 1>\nsm_80: k<float, 1>");
}

#[test]
fn a_return_type_is_deduced_with_the_names_in_scope_there() {
    let prelude = "struct A { real a; }; real *size(A *a); template <class T> struct V { T a; }; template <class T> void go(T *t) { k<T><<<1, 1>>>(t); }";
    let found = [
        "template <class T> auto f(T *t) { { int size = 1; } auto s = size(t); return s; }",
        "template <class T> auto f(T *t) { for (int size = 0; size < 2; ++size) { go<char>(nullptr); } auto s = size(t); return s; }",
        "template <class T> auto f(T *t) { if (int size = 1) { go<char>(nullptr); } auto s = size(t); return s; }",
        "template <class T> auto f(T *t) { { int size = 1; auto l = [] { return 1; }; } auto s = size(t); return s; }",
        "template <class T> auto f(T *t) { if (t) { auto s = size(t); return s; } { int s = 0; } return size(t); }",
    ];
    for function in found {
        let source = format!("{prelude} {function} void g(A *a) {{ go(f(a)); }}");
        each_instantiates(&[&source], "host: k<double, 1>\nsm_80: k<float, 1>");
    }
}

#[test]
fn an_object_of_a_specialization_is_copied() {
    let found = [
        "template <class... T> struct C; template <class T> struct C<T> { T a; }; template <class T> C<T> make(T t) { return {t}; } void g(real r) { C c = make(r); k<decltype(c.a)><<<1, 1>>>(nullptr); }",
        "namespace n { template <class T> struct C; template <> struct C<real> { real a; }; C<real> make(); } void g() { n::C c = n::make(); k<decltype(c.a)><<<1, 1>>>(nullptr); }",
    ];
    each_instantiates(&found, "host: k<double, 1>\nsm_80: k<float, 1>");
}

#[test]
fn an_initializer_may_look_like_a_parameter() {
    let prelude = "template <class T> struct V { V(int n) { k<T><<<1, 1>>>(nullptr); } };
        int n, m, a[2], *p; int f(int); struct A { };";
    let found =
        ["n * m", "n & m", "n && m", "n * f(m)", "n * a[1]", "(n) * m", "n * (m)", "n * *p", "n & *p"];
    for initializer in found {
        let source = format!("{prelude} void g() {{ V<real> v({initializer}); }}");
        each_instantiates(&[&source], "host: k<double, 1>\nsm_80: k<float, 1>");
    }
    for parameters in ["A * m", "V<int> * m", "int * m", "A & m, A", "A * f(A)", "V<int>"] {
        let source = format!("{prelude} void g() {{ V<real> v({parameters}); }}");
        each_instantiates(&[&source], "");
    }
    for parameters in ["T * m", "T && m", "typename B<T>::type * m"] {
        let body =
            format!("template <class T> void g() {{ V<real> v({parameters}); }} void h() {{ g<int>(); }}");
        let source = format!("{prelude} template <class T> struct B {{ using type = T; }}; {body}");
        each_instantiates(&[&source], "");
    }
}

#[test]
fn nothing_is_deduced_from_a_braced_list_for_a_class() {
    let prelude = "namespace std { template <class E> class initializer_list { }; }
        template <class T> struct V { V(); template <class U> V &operator=(const V<U> &) { k<real, 2><<<1, 1>>>(nullptr); return *this; } V &operator=(std::initializer_list<T>) { k<T><<<1, 1>>>(nullptr); return *this; } };
        template <class T> void only(T) { k<real, 2><<<1, 1>>>(nullptr); } void only(V<int>) { k<real><<<1, 1>>>(nullptr); }
        template <class T> using L = std::initializer_list<T>; template <class T> void alias(L<T>) { k<T><<<1, 1>>>(nullptr); }
        template <class T> void other(const V<T> &, T) { k<T><<<1, 1>>>(nullptr); }
        template <class T = real> void with_default(const V<T> &) { k<T><<<1, 1>>>(nullptr); }";
    let found = [
        "void g() { V<real> v; v = {1, 2}; }",
        "void g() { only({}); }",
        "void g(real r) { other({}, r); }",
        "void g() { with_default({}); }",
        "void g(real r) { alias({r, r}); }",
    ];
    for source in found {
        let source = format!("{prelude}\n{source}");
        each_instantiates(&[&source], "host: k<double, 1>\nsm_80: k<float, 1>");
    }
}

#[test]
fn an_argument_of_a_placeholder_type_has_a_type() {
    let prelude = "template <auto V> struct C { static constexpr auto value = V; }; template <int V> struct D { }; template <auto... V> struct P { }; template <class T> __global__ void c() { }
         template <class T> struct Count { using type = int; }; template <> struct Count<float> { using type = unsigned; }; using count = Count<real>::type; constexpr count four = 4;";
    let each = [
        ("void g() { c<C<four>><<<1, 1>>>(); }", "c<C<4>>", "c<C<4u>>"),
        ("void g() { c<C<count(2) + 2>><<<1, 1>>>(); }", "c<C<4>>", "c<C<4u>>"),
        ("void g() { c<P<true, four>><<<1, 1>>>(); }", "c<P<true, 4>>", "c<P<true, 4u>>"),
        (
            "template <auto V> void f(C<V>) { c<C<V>><<<1, 1>>>(); } void g() { f(C<four>()); }",
            "c<C<4>>",
            "c<C<4u>>",
        ),
        (
            "template <class T> struct S { template <class U> using to = D<1>; }; template <> struct S<C<4>> { template <class U> using to = D<2>; }; void g() { c<S<C<four>>::to<int>><<<1, 1>>>(); }",
            "c<D<2>>",
            "c<D<1>>",
        ),
        (
            "template <auto V> struct S { using type = D<1>; }; template <> struct S<4u> { using type = D<2>; }; void g() { c<S<four>::type><<<1, 1>>>(); }",
            "c<D<1>>",
            "c<D<2>>",
        ),
        (
            "template <auto... V> __global__ void a() { } void g() { a<four, true><<<1, 1>>>(); }",
            "a<4, true>",
            "a<4u, true>",
        ),
        ("template <auto V> using A = C<V>; void g() { c<A<four>><<<1, 1>>>(); }", "c<C<4>>", "c<C<4u>>"),
        (
            "template <auto V> void one() { c<C<V>><<<1, 1>>>(); } template <void (*F)()> void call() { F(); } void g() { call<&one<four>>(); }",
            "c<C<4>>",
            "c<C<4u>>",
        ),
        (
            "template <class T, T... I> struct Q { }; template <class T, T... I> void all(Q<T, I...>) { (c<C<I>><<<1, 1>>>(), ...); } void g() { all(Q<count, 3ul>()); }",
            "c<C<3>>",
            "c<C<3u>>",
        ),
    ];
    for (source, host, device) in each {
        instantiations(&format!("{prelude}{source}"), &format!("host: {host}\nsm_80: {device}"));
    }
    let same = [
        "void g() { c<D<four>><<<1, 1>>>(); }",
        "void g() { c<C<int(four)>><<<1, 1>>>(); }",
        "void g() { c<D<C<four>::value>><<<1, 1>>>(); }",
        "template <auto V> struct A { using type = C<int(V) + 1>; }; void g() { c<A<four>::type><<<1, 1>>>(); }",
        "template <int V> void f(C<V>, D<V>) { c<D<V>><<<1, 1>>>(); } void g() { f(C<4>(), D<4>()); }",
        "template <int... V> void f() { (c<C<V>><<<1, 1>>>(), ...); } void g() { f<four, 2ul>(); }",
        "template <unsigned... V> struct Q { }; template <unsigned... V> void f(P<V...>, Q<V...>) { c<Q<V...>><<<1, 1>>>(); } void g() { f(P<4u, 2u>(), Q<four, 2>()); }",
    ];
    for source in same {
        instantiations(&format!("{prelude}{source}"), "");
    }
}

#[test]
fn value_categories_and_conversions_instantiate() {
    let found = [
        "template <class T> struct V; template <class T> struct V<T &> { using type = T; }; template <class T> void f(T &&) { k<typename V<T>::type><<<1, 1>>>(nullptr); } void g(real x) { f(x); }",
        "template <class T> struct V { using type = T; }; template <class T> struct V<T &> { using type = int; }; template <class T> void f(T &&) { k<typename V<T>::type><<<1, 1>>>(nullptr); } real r(); void g() { f(r()); }",
        "template <class T> struct V; template <class T> struct V<T &> { using type = T; }; void g(real x) { k<typename V<decltype((x))>::type><<<1, 1>>>(nullptr); }",
        "template <class T> struct V { using type = T; }; template <class T> struct V<T &> { using type = int; }; void g(real *p) { k<typename V<__typeof__(p[0])>::type><<<1, 1>>>(nullptr); }",
        "struct X { template <class T> operator T *() const { k<T><<<1, 1>>>(nullptr); return nullptr; } }; void g(X x) { real *p = x; }",
        "template <class T> struct X { operator bool() const { k<T><<<1, 1>>>(nullptr); return true; } }; void g(X<real> x) { if (x) { } }",
        "template <class T> struct X { ~X() { k<T><<<1, 1>>>(nullptr); } }; template <class T> void f(T *p) { p->~T(); } void g(X<real> *p) { f(p); }",
        "template <class T> struct X { ~X() { k<T><<<1, 1>>>(nullptr); } }; void g(X<real> *p) { p->~X<real>(); }",
        "template <class... F> struct O : F... { using F::operator()...; }; template <class... F> O(F...) -> O<F...>; void g(real r) { auto o = O{[](char) { }, [](auto x) { k<decltype(x)><<<1, 1>>>(nullptr); }}; o(r); o('c'); }",
        "struct S { static constexpr auto l = [](auto x) { k<decltype(x)><<<1, 1>>>(nullptr); }; }; void g(real r) { S::l(r); }",
        "void g(real r) { auto x = ({ real y = r; y; }); k<decltype(x)><<<1, 1>>>(nullptr); }",
        "template <class T> auto f(T t, int) -> decltype(*t, 0) { k<int><<<1, 1>>>(nullptr); return 0; } template <class T> int f(T, long) { k<T><<<1, 1>>>(nullptr); return 0; } void g(real r) { f(r, 0); }",
    ];
    each_instantiates(&found, "host: k<double, 1>\nsm_80: k<float, 1>");
}

#[test]
fn what_is_not_known_removes_nothing() {
    let found = [
        // Neither the condition nor the function that it guards is known.
        "template <bool B, class T = void> struct E { }; template <class T> struct E<true, T> { using type = T; }; template <class T, typename E<lost<T>(), int>::type = 0> void f(T *p) { k<<<1, 1>>>(p); } void g(real *p) { f(p); }",
        // Which specialization is meant is not known; only one of them has the function.
        "template <class T> struct X { }; template <class T> struct X<T *> { void f(real *p) { k<<<1, 1>>>(p); } }; void g(real *p) { X<decltype(lost())> x; x.f(p); }",
        // No candidate seems viable, and the program is valid.
        "struct A { }; struct B { }; template <class T> void f(T *p, A) { k<<<1, 1>>>(p); } template <class T> void f(T *, B) { } void g(real *p) { f(p, nullptr); }",
    ];
    each_instantiates(&found, "host: k<double, 1> ?\nsm_80: k<float, 1> ?");
    // Which of two functions an argument selects is not known: both are followed.
    let both = "template <class T> void f(T *p, int *) { k<T, 2><<<1, 1>>>(p); } template <class T> void f(T *p, char *) { k<T, 3><<<1, 1>>>(p); } void g(real *p) { f(p, lost()); }";
    instantiations(both, "host: k<double, 2> ? k<double, 3> ?\nsm_80: k<float, 2> ? k<float, 3> ?");
}

#[test]
fn calls_use_more_than_they_name() {
    let found = [
        "template <class T> int f() { k<T><<<1, 1>>>(nullptr); return 1; } void g(int = f<real>()); void h() { g(); }",
        "template <class T> int f() { k<T><<<1, 1>>>(nullptr); return 1; } struct X { X(int = f<real>()) { } }; X x;",
        "template <class T> int f() { k<T><<<1, 1>>>(nullptr); return 1; } void g() { auto l = [](int n = f<real>()) { return n; }; l(); }",
        "template <class T> void f(T *p, void (*launch)(T *) = k<T>) { launch<<<1, 1>>>(p); } void g(real *p) { f(p); }",
        "template <class T> struct X { X(T *p) { k<T><<<1, 1>>>(p); } }; void f(X<real>); void g(real *p) { f(p); }",
        "template <class T> struct B { B() { k<T><<<1, 1>>>(nullptr); } }; template <class T, int N> struct X : X<T, N - 1> { X() { } }; template <class T> struct X<T, 0> : B<T> { }; X<real, 3> x;",
        "struct X { X() try : n(1) { k<real><<<1, 1>>>(nullptr); } catch (...) { } int n; };",
        "template <class T> bool f() { k<T><<<1, 1>>>(nullptr); return true; } template <class T> struct X { static bool on; X() { if (!on) throw 1; } }; template <class T> bool X<T>::on = f<real>(); X<int> x;",
        "struct X { template <class T> X &operator,(T *p) { k<<<1, 1>>>(p); return *this; } }; void f(X x, real *p) { (x, p, p); }",
        "template <class T> struct X { void f() { k<T, 2><<<1, 1>>>(nullptr); } void f() const { k<T><<<1, 1>>>(nullptr); } }; void g(const X<real> &x) { x.f(); }",
        "struct B { template <class T> void f(T *p) { k<<<1, 1>>>(p); } }; struct X : B { using B::f; void f(int) { } }; void g(X x, real *p) { x.f(p); }",
        "template <class T> struct B { B(T *p) { k<<<1, 1>>>(p); } }; struct X : B<real> { using B<real>::B; B<real> *next; }; void g(real *p) { X x(p); }",
        "namespace { namespace n { template <class T> void f(T *p) { k<<<1, 1>>>(p); } } } void g(real *p) { n::f(p); }",
        "namespace n { namespace m { template <class T> void f(T *p) { k<<<1, 1>>>(p); } } } void g(real *p) { namespace l = n; using namespace l::m; f(p); }",
        "namespace n { template <class T> void f(T *p) { k<<<1, 1>>>(p); } } void g(real *p) { using n::f; f(p); }",
        "namespace n { template <class T> void f(T *p, int) { k<<<1, 1>>>(p); } } void g(real *p) { (n::f)(p, 1); }",
        "template <template <class> class D, class T> struct B { void f() { static_cast<D<T> *>(this)->g(); } }; template <class T> struct X : B<X, T> { void g() { k<T><<<1, 1>>>(nullptr); } }; void g(X<real> x) { x.f(); }",
        "template <class T> int f() { k<T><<<1, 1>>>(nullptr); return 1; } template <class T> struct X { int n = f<T>(); }; void g() { X<real> x; }",
        "template <class T> struct X { void (*f)(T *) = k<T>; }; void g() { X<real> x; }",
        "auto l = [](auto x) { k<decltype(x)><<<1, 1>>>(nullptr); }; void g(real r) { l(r); }",
        "void g(real *r) { auto l = [p = r] { k<<<1, 1>>>(p); }; }",
        "void g(real *r) { auto l = [r = *r] { k<decltype(r)><<<1, 1>>>(nullptr); }; }",
        "template <class T> void f(T) { k<T><<<1, 1>>>(nullptr); } void g() { f([](int) -> real { return 1; }(1)); }",
        "template <class T> void f(T) { k<T><<<1, 1>>>(nullptr); } void g() { auto l = [](auto) -> real { return 1; }; f(l(1)); }",
    ];
    each_instantiates(&found, "host: k<double, 1>\nsm_80: k<float, 1>");
    let unused = [
        "template <class T> int f() { k<real><<<1, 1>>>(nullptr); return 1; } void g(int = f<int>()); void h() { g(2); }",
        "template <class T> int f() { k<real><<<1, 1>>>(nullptr); return 1; } template <class T> void g(int = f<T>()) { } void h() { g<int>(2); }",
        "template <class T> struct X { void f() { k<real><<<1, 1>>>(nullptr); } void f() const { } }; void g(const X<int> &x) { x.f(); }",
        "struct B { template <class T> void f(T) { k<real><<<1, 1>>>(nullptr); } }; struct X : B { using B::f; void f(char) { } }; void g(X x) { x.f('c'); }",
        "template <class T> struct X { X(T *p) { k<real><<<1, 1>>>(nullptr); } }; void f(const X<int> &); void g(X<int> &x) { f(x); }",
    ];
    each_instantiates(&unused, "");
}

#[test]
fn arguments_of_every_form_are_deduced() {
    let found = [
        "namespace std { template <class T> class initializer_list { }; } template <class T> void f(std::initializer_list<T>) { k<T><<<1, 1>>>(nullptr); } void g(real r) { f({r, r}); }",
        "namespace std { template <class T> class initializer_list { }; } template <class T> void f(std::initializer_list<T>) { k<T><<<1, 1>>>(nullptr); } void g(real r) { auto l = {r, r}; f(l); }",
        "template <class T, int N> void f(const T (&)[N]) { k<T, N - 2><<<1, 1>>>(nullptr); } void g(real r) { f({r, r, r}); }",
        "template <class T> struct S { }; template <class T> struct U; template <class T> struct U<S<T>> { using type = T; }; template <class T, template <class> class O = S> void f(T *) { k<typename U<O<T>>::type><<<1, 1>>>(nullptr); } void g(real *p) { f(p); }",
        "template <class T> struct U; template <> struct U<long double> { using type = real; }; template <class T> void f(T) { k<typename U<T>::type><<<1, 1>>>(nullptr); } void g() { f(1.0L); }",
        "template <class T> struct U; template <int N> struct U<char[N]> { static constexpr int n = N; }; template <class T> void f(const T &) { k<real, U<T>::n - 2><<<1, 1>>>(nullptr); } void g() { f(\"ab\"); }",
        "template <class T> struct V { }; template <class T, class U> void f(T, V<U>) { } template <class T> void f(T, V<T>) { k<T><<<1, 1>>>(nullptr); } void g(real r) { f(r, V<real>()); }",
        "template <class F> struct A : A<decltype(&F::operator())> { }; template <class C, class R, class P> struct A<R (C::*)(P) const> { using type = P; }; template <class F> void f(F) { k<typename A<F>::type><<<1, 1>>>(nullptr); } void g() { f([](real) { return 1; }); }",
        "template <class F> struct A : A<decltype(&F::operator())> { }; template <class C, class R, class... P> struct A<R (C::*)(P...) const> { using type = R; static constexpr int n = sizeof...(P); }; template <class F> void f(F) { k<typename A<F>::type, A<F>::n - 1><<<1, 1>>>(nullptr); } struct S { real operator()(int, char) const; }; void g() { f(S()); }",
        "template <class F> struct A; template <class R, class... P> struct A<R(P...)> { using type = R; static constexpr int n = sizeof...(P); }; void g() { k<A<real(int, int)>::type, A<real(int, int)>::n - 1><<<1, 1>>>(nullptr); }",
    ];
    each_instantiates(&found, "host: k<double, 1>\nsm_80: k<float, 1>");
}

#[test]
fn long_chains_of_operators_and_calls_are_followed() {
    let class = "struct S { template <class T> S &operator<<(T *p) { k<<<1, 1>>>(p); return *this; } S &operator<<(int); S &with(int); S &with(int) const; };";
    let (operators, calls) = (" << 1".repeat(60), ".with(1)".repeat(60));
    let chains = [
        format!("{class} void f(S s, real *p) {{ s{operators} << p; }}"),
        format!("{class} void f(S s, real *p) {{ s{calls} << p; }}"),
    ];
    each_instantiates(&chains.each_ref().map(String::as_str), "host: k<double, 1>\nsm_80: k<float, 1>");
}

/// What is found for a type of which the name alone is known is kept, but for what each call spells.
#[test]
fn answers_about_types_that_are_not_resolved() {
    instantiations(
        "template <int N, class T> constexpr int steps = steps<N - 1, T> % 1000 + steps<N - 2, T> % 1000;
         template <class T> constexpr int steps<0, T> = 0;
         template <class T> constexpr int steps<1, T> = 1;
#ifndef __CUDA_ARCH__
         void host() { k<int, steps<40, Missing>><<<1, 1>>>(nullptr); k<char, steps<41, Missing *>><<<1, 1>>>(nullptr); }
#endif",
        "host: k<char, 1141> k<int, 1155>",
    );
    instantiations(
        "template <class T> struct Box { };
         template <class T> void launch(Box<T>) { k<T, 1><<<1, 1>>>(nullptr); }
#ifndef __CUDA_ARCH__
         void host(Missing a, Missing b, Other c) { launch(a); launch(b); launch(c); launch(b); }
#endif",
        "host: k<T deduced from (a), 1> k<T deduced from (b), 1> k<T deduced from (c), 1>",
    );
}

#[test]
fn instantiations_with_the_arguments_of_the_place() {
    instantiations(
        "template <class T> struct Traits { using E = T; static constexpr int n = sizeof(T); }; template <class P, int N = P::n> void f() { k<typename P::E, N><<<1, 1>>>(nullptr); } void g() { f<Traits<real>>(); }",
        "host: k<double, 8>
         sm_80: k<float, 4>",
    );
    instantiations(
        "template <class... Ts> void all() { (k<Ts><<<1, 1>>>(nullptr), ...); } void g() { all<real, int>(); }",
        "host: k<double, 1>
         sm_80: k<float, 1>",
    );
    instantiations(
        "template <class T, class F> void with(F f) { f(T()); } void g() { with<real>([](auto t) { k<decltype(t)><<<1, 1>>>(nullptr); }); }",
        "host: k<double, 1>
         sm_80: k<float, 1>",
    );
    instantiations(
        "template <class T> void with(int n) { auto f = [=]<class U>(U *p, int m) { k<U><<<n, m>>>(p); }; f((T *)nullptr, 1); } void g() { with<real>(1); }",
        "host: k<double, 1>
         sm_80: k<float, 1>",
    );
    instantiations(
        "template <int N> void f() { k<char, N><<<1, 1>>>(nullptr); if constexpr (N > 1) f<N / 2>(); } void g() { f<sizeof(real)>(); }",
        "host: k<char, 8>",
    );
    instantiations(
        "template <bool B> __global__ void b() { } void g() { b<(sizeof(real) > 4)><<<1, 1>>>(); }",
        "host: b<true>
         sm_80: b<false>",
    );
    instantiations(
        "void launch(float *p) { k<<<1, 1>>>(p); } void launch(double *p) { k<<<1, 1>>>(p); } void g(real *p) { launch(p); }",
        "",
    );
    instantiations(
        "template <class T> void pick(T *p) { k<T><<<1, 1>>>(p); } void pick(double *p) { } void g(real *p) { pick(p); }",
        "sm_80: k<float, 1>",
    );
    instantiations(
        "enum Kind { a = sizeof(real), b }; void g() { k<int, b><<<1, 1>>>(nullptr); }",
        "host: k<int, 9>
         sm_80: k<int, 5>",
    );
    instantiations(
        "template <class T> struct X { template <class U> struct Y { void f() { k<T, sizeof(U)><<<1, 1>>>(nullptr); } }; }; void g() { X<int>::Y<real> y; y.f(); }",
        "host: k<int, 8>
         sm_80: k<int, 4>",
    );
}

#[test]
fn names_reach_kernels_by_what_they_denote() {
    let library = "
        namespace lib {
            template <class T> void launch(T t) { k<T><<<1, 1>>>(&t); }
            template <class T> struct Shape { Shape(T t) { launch(t); } };
            struct Task { template <class T> void run(T t) { launch(t); } };
        }
        struct Shape { int rows; };
        struct Held { Shape shape; };\n";
    let with_library = |texts: &[&str], expected: &str| {
        let texts: Vec<String> = texts.iter().map(|text| format!("{library}{text}")).collect();
        each_instantiates(&texts.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    };
    with_library(
        &[
            "using lib::Task; void f(real r) { Task task; task.run(r); }",
            "using namespace lib; struct Mine { Task task; }; void f(real r) { Mine mine; mine.task.run(r); }",
            "namespace l = lib; void f(real r) { l::Task task; task.run(r); }",
            "namespace lib { void f(real r) { Task task; task.run(r); } }",
            "void f(real r) { lib::Shape<real> s(r); }",
        ],
        "host: k<double, 1>\nsm_80: k<float, 1>",
    );
    with_library(&["void f(real) { Shape s; Held h; s.rows = h.shape.rows; }"], "");
}

#[test]
fn names_reach_kernels_as_members_of_the_classes_that_have_them() {
    let library = "
        struct Base { template <class T> void run(T t) { k<T><<<1, 1>>>(&t); } };
        template <class T> struct Typed { void run(T t) { k<T><<<1, 1>>>(&t); } static void go(T t) { k<T><<<1, 1>>>(&t); } };
        struct Outside { template <class T> void run(T t); };
        using Alias = Outside; template <class T> void Alias::run(T t) { k<T><<<1, 1>>>(&t); }
        struct Friendly { template <class T> friend void befriend(Friendly, T t) { k<T><<<1, 1>>>(&t); } };
        struct Outer { template <class T> struct Inner { Inner(T t) { k<T><<<1, 1>>>(&t); } }; };
        template <class T> using Made = Outer::Inner<T>;\n";
    let texts = [
        "void f(real r) { Base b; b.run(r); }",
        "struct Derived : Base { template <class T> void go(T t) { run(t); } }; void f(real r) { Derived().go(r); }",
        "struct Derived : private Base { using Base::run; }; void f(real r) { Derived().run(r); }",
        "template <class B> struct Derived : B { void go(real r) { this->run(r); } }; void f(real r) { Derived<Base>().go(r); }",
        "template <class T> struct Derived : Typed<T> { void all(T t) { Typed<T>::run(t); } }; void f(real r) { Derived<real>().all(r); }",
        "namespace own { using ::Base; struct Derived : Base { template <class T> void go(T t) { run(t); } }; } void f(real r) { own::Derived().go(r); }",
        "void f(real r) { struct Local : Base { void go(real r) { run(r); } }; Local().go(r); }",
        "void f(real r) { Typed<real>::go(r); }",
        "void f(real r) { Outside().run(r); }",
        "void f(real r) { befriend(Friendly(), r); }",
        "void f(real r) { Made<real> made(r); }",
        "template <class T> void by(void (Base::*way)(T), T t) { Base b; (b.*way)(t); } void f(real r) { by(&Base::run<real>, r); }",
    ];
    let texts: Vec<String> = texts.iter().map(|text| format!("{library}{text}")).collect();
    each_instantiates(
        &texts.iter().map(String::as_str).collect::<Vec<_>>(),
        "host: k<double, 1>\nsm_80: k<float, 1>",
    );
}

#[test]
fn devices_reach_the_kernels_that_they_launch() {
    each_instantiates(
        &[
            "template <class T> __device__ void g(T t) { k<T><<<1, 1>>>(&t); }
             template <class T> __device__ void f(T t) { g(t); }
             __global__ void parent(real r) { f(r); }",
            "struct Launcher { template <class T> __device__ void run(T t) { k<T><<<1, 1>>>(&t); } };
             template <class T> struct Holder { Launcher own; __device__ void go(T t) { own.run(t); } };
             __global__ void parent(real r) { Holder<real>().go(r); }",
            "template <class T> __host__ __device__ void g(T t) { k<T><<<1, 1>>>(&t); }
             template <class T> __device__ void f(T t) { g(t); }
             __global__ void parent(real r) { f(r); }",
        ],
        "host: k<double, 1>\nsm_80: k<float, 1>",
    );
    // What a device went through first, where less leads to kernels, the host goes through again.
    each_instantiates(
        &["template <class T> void launch(T t) { k<T><<<1, 1>>>(&t); }
             template <class T> __host__ __device__ void both(T t) {
                 k<T, 2><<<1, 1>>>(&t);
#ifndef __CUDA_ARCH__
                 launch(t);
#endif
             }
             __global__ void parent(int n) { both(n); }
             void host(int n) { both(n); }"],
        "host: k<int, 1>",
    );
    // The host has the body of a function that is for devices alone there.
    each_instantiates(
        &["
#ifdef __CUDA_ARCH__
#define WHERE __device__
#else
#define WHERE
#endif
             template <class T> WHERE void g(T t) { k<T><<<1, 1>>>(&t); }
             void host(real r) { g(r); }"],
        "host: k<double, 1>\nsm_80: k<float, 1>",
    );
}

/// A pass that followed all the guesses it may lacks what another would have led to: that is no difference.
#[test]
fn what_a_pass_has_no_guess_left_for_is_not_known() {
    let calls = |count: usize| {
        let calls = (0..count).map(|number| format!("pick(One<{number}>());\n"));
        let source = format!(
            "template <class T, int N> __global__ void k() {{ }}
             template <bool, class T = void> struct enable_if {{ }};
             template <class T> struct enable_if<true, T> {{ using type = T; }};
             template <class T, typename enable_if<unknown<T>::value, int>::type = 0>
             void pick(T) {{ k<T, 1><<<1, 1>>>(); }}
             template <class T, typename enable_if<!unknown<T>::value, int>::type = 0>
             void pick(T) {{ k<T, 2><<<1, 1>>>(); }}
             template <int N> struct One {{ }}; struct Last {{ }};
             void host() {{
#if __CUDA_ARCH__ >= 900
             {}
#endif
             pick(Last()); }}",
            calls.collect::<String>()
        );
        let fixture = Fixture::new(&source, "80,90");
        let facts = facts(&fixture.unit, &fixture.pp, &fixture.variance, &fixture.memo);
        let is_last = |text: &str| text.contains("Last");
        let told = facts.instantiations.iter().filter(|one| is_last(&one.shown)).map(|one| one.compared);
        let open = facts.blind_spots.iter().filter(|one| is_last(&one.name) && one.varies);
        (told.map(|passes| fixture.passes(passes)).collect::<Vec<_>>(), open.count())
    };
    assert_eq!(calls(2), (vec![], 0));
    let (told, open) = calls(600);
    assert_eq!((told, open), (vec!["host,sm_80".to_string()], 1));
}

#[test]
fn a_function_whose_statement_can_not_be_read_keeps_the_others() {
    let source =
        "template <class T, int N> __global__ void k() {} struct B {}; struct C {}; constexpr int f(...);
         void go() { k<char, 5><<<1, 1>>>();
#ifdef __CUDA_ARCH__
           k<B, f(B, int) + 10 * f(C, int) + 100 * f(B, int) + 1000 * f(B, int)><<<1, 1>>>();
#endif
           k<int, 7><<<1, 1>>>(); }";
    let fixture = Fixture::new(source, "80");
    let facts = facts(&fixture.unit, &fixture.pp, &fixture.variance, &fixture.memo);
    let told = facts.instantiations.iter().map(|one| (one.shown.as_str(), fixture.passes(one.passes)));
    // No pass lacks the kernels of the other statements.
    let told: Vec<_> = told.collect();
    assert_eq!(told, [("k<T deduced from (), N deduced from ()>", "sm_80".to_string())]);
}
