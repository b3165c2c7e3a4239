// [temp.arg] a class that wraps a kernel template, given as a template template argument
template <class T, int N> __global__ void scan_kernel(T *p) {}
template <class T, int N> __global__ void sort_kernel(T *p) {}
template <class T, int N> struct Scan { static constexpr auto kernel = &scan_kernel<T, N>; };
template <class T, int N> struct Sort { static auto get() { return &sort_kernel<T, N>; } };
template <template <class, int> class W, class T, int... N> void launch_all(T *p) {
  (W<T, N>::kernel<<<1, 1>>>(p), ...);
}
template <template <class, int> class W, class T> void launch_got(T *p) { (*W<T, 7>::get())<<<1, 1>>>(p); }
int main() {
  launch_all<Scan, float, 1, 2>(nullptr);
  launch_got<Sort>((int *)nullptr);
}
