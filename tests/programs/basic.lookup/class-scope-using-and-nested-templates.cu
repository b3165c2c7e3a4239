// [basic.lookup] names in a nested class template found in enclosing classes and their bases
template <class T, int N> __global__ void k() {}
struct Base { static constexpr int warps = 6; template <class T> using ptr = T *; enum { lanes = 32 }; };
template <class T> struct Outer : Base {
  using elem = T;
  template <int N> struct Inner {
    struct Deep { static void go() { k<elem, N * warps>
        <<<1, 1>>>(); k<ptr<elem>, lanes><<<1, 1>>>(); } };
    static constexpr int twice = N * 2;
    using next = Inner<twice>;
  };
};
int main() {
  Outer<float>::Inner<2>::Deep::go();
  Outer<char>::Inner<1>::next::Deep::go();
}
