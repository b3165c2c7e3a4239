// [temp.deduct.guide] explicit guides take no part in copy-initialization
template <class T> __global__ void k() {}
template <class T> struct Name {
  template <class U> Name(U) {}
  void go() { k<T><<<1, 1>>>(); }
};
template <class T> explicit Name(T) -> Name<T>;
Name(const char *) -> Name<char>;
int main() {
  Name a(1.0f);
  a.go();
  Name b = "x";
  b.go();
  Name{'c'}.go();
}
