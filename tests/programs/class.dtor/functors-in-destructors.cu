// [class.dtor] [class.conv.fct] destructors and conversion functions of class templates that call an object of their argument
template <class T> __global__ void k(T) {}
struct F { template <class T> void operator()(T t) const { k<T><<<1, 1>>>(t); } };
template <class A, class T> struct Guard { A a; T t; Guard(A a, T t) : a(a), t(t) {} ~Guard() { a(t); } };
template <class A> struct Conv { A a; operator int() { a('c'); return 1; } };
template <class A> struct Ctor { A a; Ctor(A f) : a(f) { a(1L); } };
template <class A> struct Part { Guard<A, short> guard; };
void host() {
    F f;
    Guard<F, float> guard(f, 2.0f);
    Conv<F> conv{f};
    int i = conv;
    Ctor<F> ctor(f);
    Guard deduced(f, 2.0);
    Part<F> part{{f, 1}};
}
