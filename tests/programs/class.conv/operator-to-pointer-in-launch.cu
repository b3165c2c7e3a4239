// [class.conv] a wrapper converts to a pointer for a launch's argument and a function's
template <class T> __global__ void fill(T *p) {}
template <class T, int N> __global__ void k() {}
template <class T> struct Ptr {
  operator T *() const { k<T, 1><<<1, 1>>>(); return nullptr; }
  operator int() const { k<T, 2><<<1, 1>>>(); return 0; }
};
void take(float *) {}
int main() {
  fill<float><<<1, 1>>>(Ptr<float>{});
  take(Ptr<float>());
  int n = Ptr<char>();
}
