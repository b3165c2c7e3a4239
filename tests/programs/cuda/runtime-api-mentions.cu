// [cuda] kernels named in calls of the runtime's API, template and C functions
template <class T, int N> __global__ void k(T *p) {}
template <class T> void all(T *p) {
  void *args[] = {&p};
  cudaLaunchKernel(k<T, 1>, dim3(1), dim3(1), args, 0, nullptr);
  cudaLaunchCooperativeKernel((void *)k<T, 2>, dim3(1), dim3(1), args, 0, nullptr);
  cudaFuncSetCacheConfig(k<T, 3>, cudaFuncCachePreferL1);
  cudaFuncAttributes attr;
  cudaFuncGetAttributes(&attr, k<T, 4>);
  int grid, block;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, k<T, 5>, 0, 0);
  cudaLaunchConfig_t config{};
  cudaLaunchKernelEx(&config, k<T, 6>, p);
  cudaFuncSetAttribute(reinterpret_cast<const void *>(&k<T, 7>), cudaFuncAttributePreferredSharedMemoryCarveout, 50);
}
int main() { all((float *)nullptr); }
