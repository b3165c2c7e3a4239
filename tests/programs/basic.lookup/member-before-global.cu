// [basic.lookup] a member function is found before a namespace's template of the same name
template <class T> __global__ void fill_kernel(T *p) {}
template <class T> void fill(T *p) { fill_kernel<T><<<1, 1>>>(p); }
struct Buffer {
  float *data = nullptr;
  void fill(double) { fill_kernel<double><<<1, 1>>>(nullptr); }
  void clear() { fill(0); }
  void reset() { ::fill(data); }
};
int main() {
  Buffer b;
  b.clear();
  b.reset();
}
