// [temp.arg.explicit] a value is no argument for a type parameter, nor a type for a value's: overloads are told apart by that
template <int N, class F> __global__ void by_count(F f) { f(); }
template <class L, class F> __global__ void by_type(F f) { f(); }
template <template <class> class C> __global__ void by_template() {}
template <class T> struct Box {
  void within() { choose<Box>(); }
  template <template <class> class C> void choose() { by_template<C><<<1, 1>>>(); }
};
struct Params {};
struct Body { __device__ void operator()() {} };
template <class L, class F> void transform(F f, int n) { by_type<L, F><<<1, 1>>>(f); }
template <int N, class F> void transform(F f, int n) { by_count<N, F><<<1, 1>>>(f); }
int main() {
  transform<128>(Body(), 3);
  transform<Params>(Body(), 3);
  Box<int>().within();
}
