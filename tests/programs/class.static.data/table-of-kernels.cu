// [class.static.data] a static member array of kernel pointers of a class template
template <class T, int N> __global__ void gemv(T *p) {}
template <class T> struct Kernels {
  using fn = void (*)(T *);
  static const fn table[3];
  static constexpr fn fast = gemv<T, 100>;
  static void run(int i) { table[i]<<<1, 1>>>(nullptr); }
};
template <class T> const typename Kernels<T>::fn Kernels<T>::table[3] = {gemv<T, 1>, gemv<T, 2>, &gemv<T, 4>};
int main(int argc, char **) {
  Kernels<float>::run(argc);
  Kernels<double>::fast<<<1, 1>>>(nullptr);
}
