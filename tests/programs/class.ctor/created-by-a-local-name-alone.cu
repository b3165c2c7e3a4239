// [class.ctor] constructors that no destructor makes worth a look: objects of types that a block or a class named
template <class T> __global__ void k() {}
template <class T> struct Run {
  explicit Run(int count) { k<T><<<count, 1>>>(); }
};
template <int N> struct Member {
  using Own = Run<char[N]>;
  typedef Own Same;
  void declared(int count) { Own own(count); }
  void listed(int count) { Same own{count + 1}; }
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
  Member<1>{}.declared(count);
  Member<2>{}.listed(count);
  Unused<3>{}.other(count);
  in_template<4>(count);
}
