// [temp.mem] a policy object with member templates that return other policies
template <class P, class F> __global__ void run(F f) {}
template <int B, bool Async> struct Policy {
  template <int N> constexpr Policy<N, Async> block() const { return {}; }
  constexpr Policy<B, true> async() const { return {}; }
  template <class F> const Policy &operator()(F f) const { run<Policy><<<1, B>>>(f); return *this; }
};
inline constexpr Policy<128, false> par{};
struct Add {};
struct Mul {};
int main() {
  par(Add{});
  par.block<64>()(Mul{})(Add{});
  par.async().block<32>()(Mul{});
  auto p = par.async();
  p(Add{});
}
