// [class.copy.elision] a local variable or parameter that is returned is moved
template <class T, int N> __global__ void k() {}
template <class T> struct B { B() {} B(B &&) { k<T, 2><<<1, 1>>>(); } B(const B &) { k<T, 3><<<1, 1>>>(); } };
template <class T> struct C { C() {} C(const C &) { k<T, 4><<<1, 1>>>(); } };
B<int> f() { B<int> r; return r; }
B<float> g(B<float> x) { return x; }
B<long> h(B<long> &x) { return x; }
B<short> i() { static B<short> x; return x; }
C<int> j() { C<int> r; return r; }
int main() { B<char> a, b(static_cast<B<char> &&>(a)), c(a); C<char> d, e(d); }
