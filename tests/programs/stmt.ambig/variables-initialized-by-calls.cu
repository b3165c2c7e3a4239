// [dcl.ambig.res] variables that look like function declarations: initialized by calls and by functions
template <class T, int N> __global__ void k() {}
struct Add { Add(void (*f)(int)) { f(1); } Add(int) {} };
template <class T> void fr(int) { k<T, 5><<<1, 1>>>(); }
template <class T> int go() { k<T, 1><<<1, 1>>>(); return 1; }
template <class T> struct S { S(T) { k<T, 2><<<1, 1>>>(); } };
namespace n { template <class T> T id() { k<T, 3><<<1, 1>>>(); return T(); } }
Add a(fr<short>);
Add b{fr<int>};
static struct Reg { Reg(void (*f)(int)) { f(1); } } reg(fr<unsigned>);
static Add c(go<char>());
static S<float> d(n::id<float>());
int prototype(int());
int another(S<double>);
int main() {
    int e(go<int>());
    auto f(go<long>());
    S<int> g(n::id<int>());
    Add h(fr<bool>);
    go<float>();
    int i{go<double>()};
}
