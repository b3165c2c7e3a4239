// [temp.arg] function types as type arguments, taken apart by partial specialization
template <class R, int Arity> __global__ void k() {}
template <class F> struct Signature;
template <class R, class... A> struct Signature<R(A...)> {
  static constexpr int arity = sizeof...(A);
  static void go() { k<R, arity><<<1, 1>>>(); }
};
template <class R, class... A> struct Signature<R (*)(A...)> : Signature<R(A...)> {};
double length(const float *, int) { return 0; }
char tag(float, float, float);
int main() {
  Signature<void(int)>::go();
  Signature<decltype(length)>::go();
  Signature<decltype(&tag)>::go();
  Signature<float()>::go();
}
