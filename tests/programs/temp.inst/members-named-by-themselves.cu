// [temp.inst] member functions and static data members of class templates that are named unqualified and not called
template <class T, int N> __global__ void k() {}
template <class F> void call(F f) { f(); }
template <class C, class F> void with(C *c, F f) { (c->*f)(); }
template <class T> void one(T) { k<T, 3><<<1, 1>>>(); }
template <class T, int N> void fn(T) { k<T, N><<<1, 1>>>(); }
template <class T> struct A {
    static void first() { k<T, 1><<<1, 1>>>(); }
    void second() { k<T, 2><<<1, 1>>>(); }
    static void a() { call(first); }
    static void b() { call(A::first); }
    static void c() { call(&first); }
    static void d() { call(A<T>::first); }
    void e() { with(this, &A::second); }
    static void unused() { k<T, 9><<<1, 1>>>(); }
};
template <class T> struct D {
    static constexpr void (*t[])(T) = {one<T>};
    static inline void (*h)(T) = fn<T, 4>;
    static void go(T x) { t[0](x); }
    static void run(int i, T x) { t[i](x); }
    void call(T x) { h(x); }
};
int main() {
    A<int>::a();
    A<char>::b();
    A<short>::c();
    A<float>::d();
    A<long>().e();
    D<float>::go(1);
    D<double>::run(0, 1);
    D<unsigned>().call(1);
    k<bool, 1><<<1, 1>>>();
    k<bool, 2><<<1, 1>>>();
    one('c');
    fn<bool, 4>(true);
}
