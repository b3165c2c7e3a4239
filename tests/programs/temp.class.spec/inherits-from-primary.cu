// [temp.class.spec] a specialization derives from another instantiation of its own template
template <class T, int N> __global__ void k() {}
template <int Arch, class T> struct Gemm : Gemm<Arch - 10, T> {};
template <class T> struct Gemm<70, T> {
  static constexpr int stages = 2;
  static void go() { k<T, stages><<<1, 1>>>(); }
};
template <class T> struct Gemm<80, T> : Gemm<70, T> { static constexpr int stages = 4; };
template <> struct Gemm<90, float> { static constexpr int stages = 7; static void go() { k<float, 90><<<1, 1>>>(); } };
template <int A, class T> void run() { Gemm<A, T>::go(); k<T *, Gemm<A, T>::stages><<<1, 1>>>(); }
int main() {
  run<100, double>();
  run<100, float>();
  run<80, float>();
}
