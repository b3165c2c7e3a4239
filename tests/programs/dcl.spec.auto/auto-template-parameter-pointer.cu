// [dcl.spec.auto] auto value parameters with pointer and decltype(auto) forms
template <class T, int N> __global__ void k() {}
template <class T> void run() { k<T, 1><<<1, 1>>>(); }
struct S { static void go() { k<S, 2><<<1, 1>>>(); } int field = 0; };
template <auto *F> void call() { F(); }
template <auto F> struct Member;
template <class C, class T, T C::*M> struct Member<M> { static void go() { k<C, sizeof(T)><<<1, 1>>>(); } };
int main() {
  call<run<float>>();
  call<&S::go>();
  Member<&S::field>::go();
}
