// [basic.lookup.qual] typename and template in a chain of dependent qualified names
template <class T, int N> __global__ void k() {}
template <class A> struct Gemm {
  struct Traits {
    using Element = A;
    template <int S> struct Stage {
      using Type = A *;
      static constexpr int value = S + 1;
      template <class R> static void f() { k<R, S><<<1, 1>>>(); }
    };
  };
};
template <class G> void launch() {
  using S = typename G::Traits::template Stage<3>;
  k<typename S::Type, S::value><<<1, 1>>>();
  G::Traits::template Stage<5>::template f<typename G::Traits::Element>();
}
int main() { launch<Gemm<float>>(); }
