// [temp.variadic] a variadic launcher that forwards the kernel and its arguments
#include <utility>
template <class T> __global__ void axpy(int n, T a, T *x) {}
template <class A, class B> __global__ void mixed(A a, B b) {}
template <class K, class... A> void launch(K kernel, A &&...args) { kernel<<<1, 1>>>(std::forward<A>(args)...); }
template <class... P, class... A> void launch_exact(void (*kernel)(P...), A... args) { kernel<<<1, 1>>>(P(args)...); }
int main() {
  launch(axpy<float>, 1, 2.f, nullptr);
  launch_exact(axpy<double>, 1, 2, nullptr);
  launch(&mixed<int, char>, 1, 'c');
}
