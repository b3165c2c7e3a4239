// [cuda] helpers that take the kernel and its arguments and ask for occupancy before they launch
#include <utility>
template <class T, int U> __global__ void saxpy(int n, T a, const T *x, T *y) {}
template <class K> int blocks_for(K kernel, int threads) {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0);
  return blocks;
}
template <class... P> struct Launcher {
  void (*kernel)(P...);
  int blocks;
  explicit Launcher(void (*k)(P...)) : kernel(k), blocks(blocks_for(k, 128)) {}
  template <class... A> void operator()(cudaStream_t s, A &&...a) const {
    kernel<<<blocks, 128, 0, s>>>(std::forward<A>(a)...);
  }
};
template <class T> void run(const T *x, T *y) {
  Launcher launch(&saxpy<T, sizeof(T) == 4 ? 4 : 2>);
  launch(nullptr, 3, T(2), x, y);
}
template void run<float>(const float *, float *);
template void run<double>(const double *, double *);
