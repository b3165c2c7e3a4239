// [temp.class.spec] partial specializations for function types, explicitly instantiated; members of one beside default arguments
template <class T, int N> __global__ void k() {}
template <class T> struct Call { void go() { k<T, 0><<<1, 1>>>(); } };
template <class R, class... A> struct Call<R(A...)> { void go() { k<R, sizeof...(A)><<<1, 1>>>(); } };
template <class R, class C, class... A> struct Call<R (C::*)(A...)> { void go() { k<C, sizeof...(A) + 10><<<1, 1>>>(); } };
template <class T, int N, class = void> struct Sized { static void go() {} };
template <class T, int N> struct Sized<T *, N> { static void go(); void other() { k<T, N + 1><<<1, 1>>>(); } };
template <class T, int N> void Sized<T *, N>::go() { k<T, N><<<1, 1>>>(); }
struct S;
template struct Call<int>;
template struct Call<double(int, int)>;
template struct Call<float()>;
template struct Call<void (S::*)(int)>;
template struct Sized<char *, 20>;
template void Sized<short *, 30>::go();
int main() { Sized<long *, 40>::go(); }
