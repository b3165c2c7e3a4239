// [temp.explicit] explicit instantiations of function templates with packs, their arguments deduced from the signature
template <class T, int N> __global__ void k() {}
template <class... T> struct P {};
template <int N> struct Int {};
template <int... N> void f(P<Int<N>...>) { k<int, (N + ... + 0)><<<1, 1>>>(); }
template <class... T> void g(T *...) { k<P<T...>, 1><<<1, 1>>>(); }
template <class R, class... T> R h(R, P<T>...) { k<P<R, T...>, 2><<<1, 1>>>(); return R(); }
template void f(P<Int<5>, Int<6>>);
template void g(int *, float *);
template char h(char, P<short>, P<long>);
template void g<double>(double *);
int main() {}
