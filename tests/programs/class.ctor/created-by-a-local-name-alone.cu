// [class.ctor] constructors that no destructor makes worth a look: objects of types that a block named
template <class T> __global__ void k() {}
template <class T> struct Run {
  explicit Run(int count) { k<T><<<count, 1>>>(); }
};
template <int N> struct Unused {
  using Own = Run<short[N]>;
  void never(int count) { Own own(count); }
  void other(int) {}
};
template <int N> void in_template(int count) {
  typedef Run<long[N]> Local;
  if (count) {
    Local local(count);
  }
}
int main(int count, char **) {
  using Runner = Run<float>;
  {
    auto make = [&] { return Runner(count); };
    make();
  }
  Unused<3>{}.other(count);
  in_template<4>(count);
}
