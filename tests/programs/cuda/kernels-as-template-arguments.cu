// [cuda] kernels as non-type arguments, in tables and behind pointers
template <class T> __global__ void k(T *) {}
template <auto K, class T> void run(T *p) { K<<<1, 1>>>(p); }
template <class T> struct Entry { void (*kernel)(T *) = &k<T>; };
template <class T> constexpr auto chosen = k<T>;
int main() {
  run<k<int>>((int *)nullptr);
  Entry<float> e;
  e.kernel<<<1, 1>>>(nullptr);
  auto p = chosen<double>;
}
