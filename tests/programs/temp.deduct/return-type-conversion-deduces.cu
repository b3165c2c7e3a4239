// [temp.deduct] a conversion function template's target deduces its argument
template <class T> __global__ void k() {}
struct Null {
  template <class T> operator T *() const { k<T><<<1, 1>>>(); return nullptr; }
};
void take(float *) {}
struct Sink { int *p; };
int main() {
  take(Null{});
  double *d = Null{};
  Sink s{Null{}};
}
