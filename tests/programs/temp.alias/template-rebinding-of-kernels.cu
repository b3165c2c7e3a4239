// [temp.alias] aliases of kernels' types and of launchers bound to arguments
#include <type_traits>
template <class T, class Acc> __global__ void reduce(T *in, Acc *out) {}
template <class T> using acc_t = std::conditional_t<std::is_same_v<T, float>, double, T>;
template <class T> using kernel_t = decltype(&reduce<T, acc_t<T>>);
template <class T> struct Entry { kernel_t<T> kernel = &reduce<T, acc_t<T>>; };
template <class T> using entry_of = Entry<std::remove_cv_t<std::remove_reference_t<T>>>;
template <class T> void run(const T &) { entry_of<const T &> e; e.kernel<<<1, 1>>>(nullptr, nullptr); }
int main() {
  run(1.f);
  run(2);
}
