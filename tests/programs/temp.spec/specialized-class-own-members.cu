// [temp.spec] a full specialization of a class template has members of its own
template <class T, int N> __global__ void k() {}
template <class T> struct Traits {
  static constexpr int vec = 1;
  template <class U> static void go() { k<U, vec><<<1, 1>>>(); }
};
template <> struct Traits<float> {
  static constexpr int vec = 4;
  template <class U> static void go();
  struct Extra { static void more() { k<float, vec * 100><<<1, 1>>>(); } };
};
template <class U> void Traits<float>::go() { k<U, vec * 10><<<1, 1>>>(); }
int main() {
  Traits<int>::go<char>();
  Traits<float>::go<char>();
  Traits<float>::Extra::more();
}
