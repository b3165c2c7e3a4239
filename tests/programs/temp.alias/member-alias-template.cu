// [temp.alias] alias templates that are members, rebound from outside
template <class T, int N> __global__ void k() {}
template <class T, int N> struct Pool {
  using value_type = T;
  template <class U> using rebind = Pool<U, N>;
  template <int M> using resize = Pool<T, M>;
  static void go() { k<T, N><<<1, 1>>>(); }
};
template <class P> void use() {
  P::template rebind<char>::go();
  using Big = typename P::template resize<64>;
  Big::go();
  P::template rebind<float>::template resize<3>::go();
}
int main() { use<Pool<double, 8>>(); }
