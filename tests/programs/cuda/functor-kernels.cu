// [cuda] one generic kernel, instantiated by functors, their templates and defaults
template <class Op, class T, int V = 4> __global__ void elementwise(Op op, T *out, const T *in) {}
template <class T> struct Add { T v; __device__ T operator()(T a) const { return a + v; } };
struct Relu { template <class T> __device__ T operator()(T a) const { return a; } };
template <class F, class G> struct Compose { F f; G g; };
template <class F, class G> Compose<F, G> compose(F f, G g) { return {f, g}; }
template <class Op, class T> void unary(Op op, T *p, bool aligned) {
  if (aligned) elementwise<Op, T><<<1, 1>>>(op, p, p);
  else elementwise<Op, T, 1><<<1, 1>>>(op, p, p);
}
int main() {
  unary(Add<float>{1}, (float *)nullptr, true);
  unary(compose(Relu{}, Add<int>{2}), (int *)nullptr, false);
}
