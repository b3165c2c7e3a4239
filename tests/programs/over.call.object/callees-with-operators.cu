// [over.call.object] calls of objects that assignments, commas, casts and indirection give
template <class T> __global__ void k(T) {}
struct F { template <class T> void operator()(T t) const { k<T><<<1, 1>>>(t); } };
template <class A, class T> void assigned(A a, A b, T t) { (a = b)(t); }
template <class A, class T> void comma(A f, T t) { (0, f)(t); }
template <class A, class T> void cast(const A &f, T t) { ((const A &)f)(t); }
template <class A, class T> void scast(A &f, T t) { static_cast<const A &>(f)(t); }
template <class A, class T> void deref(A *f, T t) { (*f)(t); f[0](t); }
void host() {
    F f, g;
    assigned(f, g, 1);
    comma(f, 2.0f);
    cast(f, 2.0);
    scast(f, 'c');
    deref(&f, 1L);
    (f = g)(1u);
    (0, f)((short)1);
    ((const F &)f)(1ull);
}
