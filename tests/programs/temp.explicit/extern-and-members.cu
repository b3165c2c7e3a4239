// [temp.explicit] explicit instantiation of member templates, of classes, and extern
template <class T, int N> __global__ void k() {}
template <class T> struct A { void f() { k<T, 1><<<1, 1>>>(); } template <class U> void g(U) { k<U, 2><<<1, 1>>>(); } };
template struct A<int>;
template void A<float>::g<char>(char);
template <class T> void h(T) { k<T, 3><<<1, 1>>>(); }
extern template void h<int>(int);
template void h<double>(double);
int main() { h(1.0f); }
