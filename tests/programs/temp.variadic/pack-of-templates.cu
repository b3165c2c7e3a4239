// [temp.variadic] a pack of class templates, each given the same argument
template <class T, int N> __global__ void k() {}
template <class T> struct Add { static constexpr int id = 1; };
template <class T> struct Mul { static constexpr int id = 2; };
template <class T, template <class> class... Ops> void fused() { (k<Ops<T>, Ops<T>::id><<<1, 1>>>(), ...); }
template <template <class> class... Ops> struct Chain { template <class T> static void run() { fused<T, Ops...>(); } };
int main() {
  Chain<Add, Mul>::run<float>();
  fused<int, Mul>();
}
