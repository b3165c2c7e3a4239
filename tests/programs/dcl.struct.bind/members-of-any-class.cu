// [dcl.struct.bind]/5 the names of a structured binding denote the data members of a class with constructors, and of a base class that has them all
template <int N, class T> __global__ void k() {}
template <class A, class B> struct Both {
    A a_;
    B b_;
    constexpr Both(const A &a, const B &b) : a_(a), b_(b) {}
};
template <class A, class B> struct Aggregate {
    A a_;
    B b_;
};
template <class A, class B> struct Derived : Both<A, B> {
    using Both<A, B>::Both;
    static constexpr int count = 2;
};
struct Empty {};
struct Below : Empty, Aggregate<short, float> {};
struct Bits {
    unsigned low : 3;
    long high : 5;
};
template <class A, class B> auto both(A a, B b) { return Both{a, b}; }
template <class A, class B> auto derived(A a, B b) { return Derived<A, B>{a, b}; }
int main() {
    auto [d, m] = both(3, 'x');
    k<1, decltype(d)><<<1, 1>>>();
    k<2, decltype(m)><<<1, 1>>>();
    auto [e, f] = derived(3L, 1.0f);
    k<3, decltype(e)><<<1, 1>>>();
    k<4, decltype(f)><<<1, 1>>>();
    const auto [g, h] = Below{};
    k<5, decltype(g)><<<1, 1>>>();
    k<6, decltype(h)><<<1, 1>>>();
    Bits bits{1, 2};
    auto &[low, high] = bits;
    k<7, decltype(low)><<<1, 1>>>();
    k<8, decltype(high)><<<1, 1>>>();
}
