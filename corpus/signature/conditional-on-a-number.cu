// No conditional selects the type: `std::conditional_t` does, from a macro that is 0 on the host.
#include <type_traits>

#ifdef __CUDA_ARCH__
#define ARCH_NUMBER __CUDA_ARCH__
#else
#define ARCH_NUMBER 0
#endif

using scale_t = std::conditional_t<(ARCH_NUMBER >= 900), double, float>;

__global__ void rescale(scale_t factor, float *data) { //~ arch-dependent-signature "rescale"
    *data *= factor;
}

int main() {
    rescale<<<1, 1>>>(1.0f, nullptr);
    return 0;
}
