// [class.dtor] explicit destructor calls, of dependent types, and pseudo destructors
template <class T, int N> __global__ void k() {}
template <class T> struct Res { ~Res() { k<T, 1><<<1, 1>>>(); } };
template <class T> void destroy(T *p) { p->~T(); k<T, 2><<<1, 1>>>(); }
int main() {
  alignas(8) char room[8];
  destroy(reinterpret_cast<Res<float> *>(room));
  int i = 0;
  destroy(&i);
  using R = Res<char>;
  reinterpret_cast<R *>(room)->~R();
  reinterpret_cast<Res<short> *>(room)->~Res<short>();
}
