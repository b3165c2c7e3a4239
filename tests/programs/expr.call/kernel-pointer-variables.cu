// [expr.call] kernels in variables, chosen by ?:, passed on and launched by the runtime's functions
template <class T, int N> __global__ void k(T *p) {}
template <class T> void go(T *p, int n) {
  void (*kernel)(T *) = n > 1 ? k<T, 1> : k<T, 2>;
  if (n > 5) kernel = &k<T, 5>;
  kernel<<<1, 1>>>(p);
  auto other = k<T, 7>;
  void *args[] = {&p};
  cudaLaunchKernel((const void *)other, dim3(1), dim3(1), args, 0, 0);
  cudaFuncSetAttribute(k<T, 8>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k<T, 9>, 128, 0);
}
int main(int argc, char **) { go((float *)nullptr, argc); }
