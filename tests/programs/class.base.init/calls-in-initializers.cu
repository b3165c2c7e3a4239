// [class.base.init] functions called in mem-initializers and default member initializers
template <class T, int N> __global__ void k() {}
template <class T> T *alloc(int) { k<T, 1><<<1, 1>>>(); return nullptr; }
struct Workspace {
  float *a;
  int *b = alloc<int>(2);
  double *c = alloc<double>(3);
  Workspace() : a(alloc<float>(1)) {}
  Workspace(double *given) : a(nullptr), c(given) {}
};
template <class T> struct Lazy { T *p = alloc<T>(1); };
struct Unused { char *p = alloc<char>(1); };
int main() {
  Workspace w(nullptr);
  Lazy<short> l;
  Lazy<long> given{nullptr};
}
