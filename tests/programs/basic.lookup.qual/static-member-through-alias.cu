// [basic.lookup.qual] static member templates named through an alias of a class template's instantiation
template <class T, int N> __global__ void k() {}
template <class T> struct Launcher {
  static constexpr int threads = sizeof(T) * 32;
  template <int V> static void go() { k<T, V * threads><<<1, threads>>>(); }
};
using DoubleLauncher = Launcher<double>;
template <class T> using Of = Launcher<T>;
int main() {
  DoubleLauncher::go<1>();
  Of<char>::go<2>();
  Of<short>::template go<DoubleLauncher::threads>();
}
