// [basic.lookup.argdep] with explicit template arguments the template is found by its arguments alone
// std: c++20
template <class T, int N> __global__ void k() {}
namespace cfg {
struct Policy {};
template <int N> void tune(Policy) { k<Policy, N><<<1, 1>>>(); }
template <class T, class P> void apply(P) { k<T, 99><<<1, 1>>>(); }
}
int main() {
  tune<4>(cfg::Policy{});
  apply<float>(cfg::Policy{});
}
