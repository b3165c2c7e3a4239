// [temp.local] the injected class name with template arguments, in calls and deduced return types; enumerations of a parameter
template <class T, int N> __global__ void k() {}
template <class T> struct W { static auto f() { return W<T *>(); } static auto g() { return W(); } };
template <class T> void go(W<T>) { k<T, 1><<<1, 1>>>(); }
template <class T> struct A { enum : T { e = 7 }; static void f() { k<T, e><<<1, 1>>>(); } };
int main() {
    go(W<int>::f());
    go(W<float>::g());
    go(W<char>());
    A<short>::f();
    k<char, 7><<<1, 1>>>();
}
