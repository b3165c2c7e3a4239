// [class.ctor] constructors of objects whose type a block gave a name, in any block within
template <int N, class T> __global__ void k() {}
struct Options { int a; };
struct Hardware { int b; };
template <int N, class T> struct Run {
  T value;
  Run(Options const &, Hardware const &) { k<N, T><<<1, 1>>>(); }
  explicit Run(Options const &) { k<N + 100, T><<<1, 1>>>(); }
  ~Run() { k<N + 200, T><<<1, 1>>>(); }
  void again() {}
};
template <int N> struct Member {
  using Own = Run<N, long>;
  void make(Options const &options, Hardware const &hardware) {
    Own own(options, hardware);
    own.again();
  }
};
template <int N> struct Outer {
  using Type = Run<N, short>;
};
template <class T> void in_template(Options const &options, Hardware const &hardware) {
  using Local = typename T::Type;
  if (options.a) {
    Local local(options, hardware);
  }
}
using Global = Run<9, int>;
int main() {
  Options options{1};
  Hardware hardware{2};
  {
    using Runner = Run<1, char>;
    Runner runner(options, hardware);
    runner.again();
  }
  { Run<2, char> runner(options, hardware); }
  {
    using Runner = Run<3, char>;
    if (options.a) {
      Runner runner(options);
    }
  }
  {
    typedef Run<4, char> Runner;
    Runner runner{options, hardware};
  }
  {
    using First = Run<5, char>;
    using Second = First;
    Second runner(Options{}, Hardware{});
  }
  { Global runner(options, hardware); }
  {
    using Runner = Run<6, char>;
    auto *made = new Runner(options, hardware);
    delete made;
  }
  {
    struct Derived : Run<7, char> {
      Derived(Options const &options) : Run<7, char>(options) {}
    };
    Derived derived(options);
  }
  {
    struct Holder {
      Run<8, char> held;
    };
    Holder holder{Run<8, char>(options)};
  }
  {
    using Runner = Run<10, char>;
    auto make = [&] { return Runner(options); };
    make();
  }
  Member<11>{}.make(options, hardware);
  in_template<Outer<12>>(options, hardware);
}
