// [class.ctor] arrays of objects, new with arguments, placement new and new of arrays
#include <new>
template <class T, int N> __global__ void k() {}
template <class T> struct Obj {
  Obj() { k<T, 0><<<1, 1>>>(); }
  Obj(int) { k<T, 1><<<1, 1>>>(); }
};
int main() {
  Obj<int> a[3];
  Obj<float> b[2] = {1, Obj<float>()};
  auto *c = new Obj<char>(5);
  auto *d = new Obj<double>[4];
  alignas(8) char room[8];
  new (room) Obj<short>{};
  new (room) Obj<long>{7};
}
