// [temp.mem] a class template's static table of member templates
template <class T, int N> __global__ void k() {}
template <class T> struct Backend {
  template <int N> static void run(T *p) { k<T, N><<<1, 1>>>(); }
  using fn = void (*)(T *);
  static fn select(int n) {
    switch (n) {
    case 1: return run<1>;
    case 2: return &run<2>;
    default: return &Backend::template run<0>;
    }
  }
};
int main(int argc, char **) { Backend<float>::select(argc)(nullptr); }
