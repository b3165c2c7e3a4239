// [basic.lookup.argdep] operators defined as friends in a class template
template <class T, char Op> __global__ void k(T *p) {}
namespace expr {
template <class T> struct Lazy {
  T *p = nullptr;
  friend Lazy operator+(Lazy a, Lazy b) { k<T, '+'><<<1, 1>>>(a.p); return a; }
  friend Lazy operator*(T s, Lazy a) { k<T, '*'><<<1, 1>>>(a.p); return a; }
};
}
int main() {
  expr::Lazy<float> x, y;
  auto z = x + 2 * y;
  expr::Lazy<double> d;
  3 * d;
}
