// [namespace.udecl] a using-declaration in a block hides the namespace's function
template <int N> __global__ void k() {}
namespace fast { template <class T> void reduce(T) { k<1><<<1, 1>>>(); } }
template <class T> void reduce(T) { k<2><<<1, 1>>>(); }
void one() {
  using fast::reduce;
  reduce(0);
}
void two() { reduce(0); }
template <bool F> void three() {
  if constexpr (F) {
    using fast::reduce;
    reduce(1.0);
  } else {
    reduce(1.0f);
  }
}
template void three<false>();
