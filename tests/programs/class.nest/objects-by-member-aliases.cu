// [class.nest] objects that are created by aliases which a class declares, of the same name and of another
template <class T, int N> __global__ void k() {}
template <class T> struct Launcher {
  Launcher(int) { k<T, 1><<<1, 1>>>(); }
};
namespace lib {
template <class T> struct Runner {
  Runner() { k<T, 2><<<1, 1>>>(); }
};
}
template <class T> struct ByAlias {
  using Op = Launcher<T>;
  void run() { Op op(3); }
};
template <class T> struct ByAnother {
  using First = Launcher<T *>;
  typedef First Second;
  void run() { Second second(4); }
};
template <class T> struct BySameName {
  using Runner = lib::Runner<T>;
  void run() { Runner runner; }
};
int main() {
  ByAlias<int>().run();
  ByAnother<float>().run();
  BySameName<double>().run();
  k<char, 3><<<1, 1>>>();
}
