// [temp.deduct.call] an array's bound is deduced from a reference parameter, and lost by value
template <class T, int N> __global__ void k() {}
template <class T, int N> void upload(T (&)[N]) { k<T, N><<<1, 1>>>(); }
template <class T, int N> void upload_const(const T (&)[N]) { k<T, N * 100><<<1, 1>>>(); }
template <class T> void by_value(T) { k<T, 0><<<1, 1>>>(); }
int main() {
  float a[12];
  const int b[] = {1, 2, 3};
  upload(a);
  upload(b);
  upload_const(b);
  by_value(b);
  upload("abc");
}
