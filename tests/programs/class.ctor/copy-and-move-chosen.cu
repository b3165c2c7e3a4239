// [class.ctor] copies and moves by initialization, arguments, returns and captures
#include <utility>
template <class T, int N> __global__ void k() {}
template <class T> struct Buf {
  Buf() {}
  Buf(const Buf &) { k<T, 1><<<1, 1>>>(); }
  Buf(Buf &&) { k<T, 2><<<1, 1>>>(); }
  Buf &operator=(const Buf &) { k<T, 3><<<1, 1>>>(); return *this; }
  Buf &operator=(Buf &&) { k<T, 4><<<1, 1>>>(); return *this; }
};
template <class T> void take(T) {}
int main() {
  Buf<int> a, b = a;
  Buf<float> c, d = std::move(c);
  Buf<char> e, f;
  e = f;
  Buf<short> g;
  g = Buf<short>();
  Buf<long> h;
  take(h);
  Buf<double> i;
  auto lambda = [i] {};
}
