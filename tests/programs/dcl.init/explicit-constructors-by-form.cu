// [dcl.init] copy-initialization leaves out explicit constructors, direct- and list-initialization do not
// std: c++20
template <class T, int N> __global__ void k() {}
template <class T> struct Size {
  explicit Size(int) { k<T, 1><<<1, 1>>>(); }
  Size(double) { k<T, 2><<<1, 1>>>(); }
  template <class U> explicit Size(U *) { k<U, 3><<<1, 1>>>(); }
  Size(const void *) { k<T, 4><<<1, 1>>>(); }
};
void take(const Size<char> &) {}
Size<long> make() { return 7; }
struct Holder {
  Size<unsigned> member = 3;
  Size<signed char> braced{3};
};
int main() {
  float f = 0;
  Size<int> direct(1);
  Size<short> copy = 1;
  Size<float> braces{1};
  Size<bool> pointer = &f;
  Size<double> given(&f);
  take(5);
  make();
  Holder holder;
  Size<unsigned long> *made = new Size<unsigned long>(4);
  auto cast = static_cast<Size<long long>>(4);
}
