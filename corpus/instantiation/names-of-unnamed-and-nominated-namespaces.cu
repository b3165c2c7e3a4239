// Names are found in a namespace within an unnamed one, through a using-directive and a namespace alias in a block, and
// in parentheses.
namespace {
namespace detail {
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}
} // namespace detail
} // namespace

namespace lib {
namespace kernels {
template <class T, int Width = 1>
__global__ void fill(T *data) {
    *data = T(1);
}
} // namespace kernels

template <class T>
void run(T *data) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    kernels::fill<T, 4><<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "fill<float, 4>"
#endif
}
} // namespace lib

void use(float *data) {
    namespace local = lib;
    using namespace local::kernels;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    detail::clear<<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "clear<float>"
    fill<<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "fill<float, 1>"
#endif
    (lib::run)(data);
}
