// Function templates are declared in a namespace and defined outside, one of them by the name of its inline namespace.
// The launch of the one that nobody calls instantiates nothing.
template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

namespace lib {
inline namespace v2 {
template <class T>
void run(T *data);
}
namespace detail {
template <class T>
void run(T *data);
}
} // namespace lib

template <class T>
void lib::v2::run(T *data) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    scale<<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "scale<float>"
#endif
}

namespace lib {
template <class T>
void detail::run(T *data) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    scale<volatile T><<<1, 1>>>(data);
#endif
}
} // namespace lib

void use(float *data) {
    lib::run(data);
}
