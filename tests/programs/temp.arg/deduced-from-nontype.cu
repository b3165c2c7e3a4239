// [temp.arg] types deduced from a function that is a template argument
template <class T, int N> __global__ void k() {}
template <auto F> struct Signature;
template <class R, class... A, R (*F)(A...)> struct Signature<F> {
  using result = R;
  static constexpr int arity = sizeof...(A);
};
float add(float, int) { return 0; }
void none() {}
template <auto F> void go() { k<typename Signature<F>::result *, Signature<F>::arity><<<1, 1>>>(); }
int main() {
  go<add>();
  go<&none>();
}
