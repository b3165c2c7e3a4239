// [over.match.oper] operators of objects in functions that nothing but their arguments leads to a kernel
template <class T> __global__ void k(T) {}
struct F {
    template <class T> int operator+(T t) const { k<T><<<1, 1>>>(t); return 0; }
    template <class T> int operator[](T t) const { k<T><<<1, 1>>>(t); return 0; }
};
template <class A, class T> int add(const A &a, T t) { return a + t; }
template <class A, class T> int at(A a, T t) { return a[t]; }
F made() { return F(); }
struct Holder { F member; };
void host(Holder &h) {
    F f;
    add(f, 1);
    auto g = made();
    add(g, 2.0f);
    add(made(), 2.0);
    at(f, 'c');
    at(h.member, 1L);
}
