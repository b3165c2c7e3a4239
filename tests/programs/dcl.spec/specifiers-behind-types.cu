// [dcl.spec] decl-specifiers in any order: types before constexpr, static and inline
typedef int whole;
namespace own { template <class T> struct Box { int n; constexpr Box(T t) : n(t) {} }; using REAL = int; }
template <int N, class T> __global__ void k() {}
whole constexpr A = 1;
whole static constexpr B = 2;
own::Box<int> constexpr C{3};
whole constexpr *D = nullptr;
own::REAL constexpr E = 5;
struct Holder { whole static constexpr F = 6; own::Box<whole> constexpr static G{7}; whole virtual go() { k<8, whole><<<1, 1>>>(); return 0; } };
whole constexpr twice(whole n) { return n * 2; }
whole inline launch() { k<twice(A + 8), char><<<1, 1>>>(); return 0; }
template <class T> T constexpr size = sizeof(T);
template <class T> T static run(T t) { whole constexpr I = 9; whole constexpr J[] = {10, 11}; k<I, T><<<1, 1>>>(); k<J[1], T><<<1, 1>>>(); return t; }
void host() {
    k<A, int><<<1, 1>>>();
    k<B, int><<<1, 1>>>();
    k<C.n, int><<<1, 1>>>();
    k<E, int><<<1, 1>>>();
    k<Holder::F, int><<<1, 1>>>();
    k<Holder::G.n, int><<<1, 1>>>();
    k<int(size<double>), int><<<1, 1>>>();
    run(1.0f);
    launch();
}
