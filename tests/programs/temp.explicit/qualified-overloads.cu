// [temp.explicit] explicit instantiations of member functions that cv- and ref-qualifiers tell apart
template <class T, int N> __global__ void k() {}
template <class T> struct A {
    void g() const { k<T, 4><<<1, 1>>>(); }
    void g() { k<T, 5><<<1, 1>>>(); }
    void h() & { k<T, 6><<<1, 1>>>(); }
    void h() && { k<T, 7><<<1, 1>>>(); }
    template <class U> void m(U) const { k<U, 8><<<1, 1>>>(); }
    template <class U> void m(U) { k<U, 9><<<1, 1>>>(); }
};
template void A<float>::g() const;
template void A<double>::g();
template void A<int>::h() &;
template void A<char>::h() &&;
template void A<int>::m(short) const;
template void A<int>::m(long);
