// [basic.lookup.argdep] a free launcher is found in the namespace of its argument's class
template <class T, int N> __global__ void k(T *p) {}
namespace linalg {
template <class T> struct Matrix { T *data = nullptr; };
template <class T> void transpose(Matrix<T> m) { k<T, 1><<<1, 1>>>(m.data); }
}
namespace app {
void step() {
  linalg::Matrix<double> m;
  transpose(m);
}
}
int main() { app::step(); }
