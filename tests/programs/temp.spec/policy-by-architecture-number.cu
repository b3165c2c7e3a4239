// [temp.spec] a policy chain indexed by an architecture number, as device-wide algorithms do
template <class P, class T> __global__ void agent(T *p) {}
template <int Block, int Items> struct Policy { static constexpr int block = Block, items = Items; };
template <class T> struct PolicyHub {
  struct Policy350 { static constexpr int version = 350; using scan = Policy<128, 12>; using prev = Policy350; };
  struct Policy600 {
    static constexpr int version = 600;
    using scan = Policy<sizeof(T) * 32, 15>;
    using prev = Policy350;
  };
  using Max = Policy600;
};
template <class P, class Prev = typename P::prev> struct Chain {
  template <class F> static void invoke(int version, F &f) {
    if (version < P::version) return Chain<Prev>::invoke(version, f);
    f.template run<P>();
  }
};
template <class P> struct Chain<P, P> { template <class F> static void invoke(int, F &f) { f.template run<P>(); } };
template <class T> struct Dispatch {
  T *p = nullptr;
  template <class Active> void run() { agent<typename Active::scan, T><<<1, Active::scan::block>>>(p); }
  static void go(int version) { Dispatch d; Chain<typename PolicyHub<T>::Max>::invoke(version, d); }
};
int main(int argc, char **) { Dispatch<double>::go(argc); }
