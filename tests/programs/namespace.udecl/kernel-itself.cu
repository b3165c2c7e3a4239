// [namespace.udecl] a using-declaration of a kernel template, called unqualified and by its new scope
namespace kernels {
template <class T> __global__ void add(T *p, T v) {}
template <class T, int N> __global__ void add(T *p) {}
}
namespace api { using kernels::add; }
using kernels::add;
int main() {
  add<<<1, 1>>>((float *)nullptr, 1.f);
  add<double, 4><<<1, 1>>>(nullptr);
  api::add<int><<<1, 1>>>(nullptr, 1);
}
