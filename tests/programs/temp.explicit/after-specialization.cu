// [temp.explicit] an explicit instantiation of what is specialized has no effect
template <class T, int N> __global__ void k() {}
template <class T> void go() { k<T, 1><<<1, 1>>>(); }
template <> void go<float>() { k<float, 2><<<1, 1>>>(); }
template void go<float>();
template void go<int>();
template <class T> struct S { void f() { k<T, 3><<<1, 1>>>(); } void g() { k<T, 4><<<1, 1>>>(); } };
template <> void S<char>::f() { k<char, 5><<<1, 1>>>(); }
template struct S<char>;
