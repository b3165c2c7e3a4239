// [class.conv] conversion functions to references and pointers
template <class T, int N> __global__ void k() {}
struct Data { int v; };
template <class T> struct Ref {
  T *p;
  operator T &() const { k<T, 1><<<1, 1>>>(); return *p; }
};
template <class T> struct Ptr {
  operator T *() const { k<T, 2><<<1, 1>>>(); return nullptr; }
};
void take(Data &) {}
void take_pointer(const float *) {}
int main() {
  Ref<Data> r{};
  take(r);
  int &i = Ref<int>{};
  take_pointer(Ptr<float>{});
  double *d = Ptr<double>{};
}
