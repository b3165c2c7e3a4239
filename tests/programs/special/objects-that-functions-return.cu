// [class.dtor] [class.conv.fct] [class.copy.ctor] special members of classes that only a function's declaration names
template <class T> __global__ void k(T) {}
template <class T> struct G { ~G() { k<T><<<1, 1>>>(T()); } };
G<int> made();
struct C { template <class T> operator T() const { k<T><<<1, 1>>>(T()); return T(); } };
C conv();
template <class T> struct L { L() = default; L(const L &) { k<T *><<<1, 1>>>(nullptr); } };
L<char> left;
L<char> &get() { return left; }
void take(L<char>) {}
void host() {
    made();
    float f = conv();
    take(get());
}
