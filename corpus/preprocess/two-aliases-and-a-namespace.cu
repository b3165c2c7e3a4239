// The conditional is two aliases and a namespace away from the kernel.
namespace config {
namespace detail {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
typedef double widest;
#else
typedef float widest;
#endif
}
using detail::widest;
using accumulator = widest;
}

namespace ops {
using namespace config;

__global__ void sum(const float *in, accumulator *out) { //~[host,sm_80] arch-dependent-signature "sum"
    *out = *in;
}
}

void run(const float *in, config::accumulator *out) {
    ops::sum<<<1, 1>>>(in, out);
}
