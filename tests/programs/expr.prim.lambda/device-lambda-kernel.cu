// [expr.prim.lambda] extended lambdas as a kernel's argument, once for each place and instantiation
template <class F> __global__ void apply(int n, F f) {}
template <class F> void for_each(int n, F f) { apply<<<1, 1>>>(n, f); }
template <class T> void scale(T *p, T s) {
  for_each(8, [=] __device__(int i) { p[i] *= s; });
}
int main() {
  for_each(3, [] __device__(int) {});
  for_each(4, [] __device__(int) {});
  scale((float *)nullptr, 2.f);
  scale((double *)nullptr, 2.0);
}
