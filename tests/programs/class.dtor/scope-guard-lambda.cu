// [class.dtor] a guard that runs a lambda in its destructor
template <class T> __global__ void k() {}
template <class F> struct ScopeExit {
  F f;
  ~ScopeExit() { f(); }
};
template <class F> ScopeExit(F) -> ScopeExit<F>;
template <class F> ScopeExit<F> on_exit_run(F f) { return {f}; }
int main() {
  ScopeExit a{[] { k<int><<<1, 1>>>(); }};
  auto b = on_exit_run([] { k<float><<<1, 1>>>(); });
}
