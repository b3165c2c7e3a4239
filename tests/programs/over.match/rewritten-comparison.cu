// [over.match] comparison operators rewritten from == and <=>
// std: c++20
#include <compare>
template <class T, int N> __global__ void k() {}
template <class T> struct Arr {
  T *p = nullptr;
  bool operator==(const Arr &) const { k<T, 1><<<1, 1>>>(); return true; }
  int operator<=>(const Arr &) const { k<T, 2><<<1, 1>>>(); return 0; }
  bool operator==(int) const { k<T, 3><<<1, 1>>>(); return true; }
};
int main() {
  Arr<float> a, b;
  bool differ = a != b;
  Arr<int> c, d;
  bool less = c < d;
  Arr<char> e;
  bool reversed = 3 == e;
}
