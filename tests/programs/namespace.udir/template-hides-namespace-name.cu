// [namespace.udir] a function template of a used namespace has the name of another namespace
template <class T, int N> __global__ void k() {}
namespace cute { template <class T> void gemm(T) { k<T, 1><<<1, 1>>>(); } }
namespace cutlass {
namespace gemm { namespace detail { template <class T> struct Traits { static constexpr int v = sizeof(T); }; } }
namespace kernel {
using namespace cute;
template <class T> void run(T t) {
  k<T, gemm::detail::Traits<T>::v><<<1, 1>>>();
  cute::gemm(t);
}
}
}
int main() { cutlass::kernel::run(1.0); }
