// [basic.lookup.qual] names qualified by an alias of a nested namespace
template <class T, int N> __global__ void k() {}
namespace project::backend::cuda {
template <class T> void axpy() { k<T, 1><<<1, 1>>>(); }
namespace detail { template <class T> void dot() { k<T, 2><<<1, 1>>>(); } }
}
namespace pc = project::backend::cuda;
namespace pcd = pc::detail;
int main() {
  pc::axpy<float>();
  pcd::dot<double>();
  namespace local = ::project::backend;
  local::cuda::axpy<int>();
}
