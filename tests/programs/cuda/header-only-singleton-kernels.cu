// [cuda] inline functions with static tables of kernel pointers by enum and alignment
#include <array>
template <class T, int Vec> __global__ void copy(T *dst, const T *src) {}
template <class T> inline auto kernel_for(int alignment) {
  using fn = void (*)(T *, const T *);
  static const std::array<fn, 3> kernels = {copy<T, 1>, copy<T, 2>, copy<T, 4>};
  return kernels[alignment];
}
template <class T> inline void copy_async(T *d, const T *s, int a) { kernel_for<T>(a)<<<1, 1>>>(d, s); }
extern "C" void copy_f32(float *d, const float *s) { copy_async(d, s, 1); }
extern "C" void copy_i8(char *d, const char *s) { copy_async(d, s, 2); }
