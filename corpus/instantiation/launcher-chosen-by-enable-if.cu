// DeepSpeed's shape: `enable_if` on an architecture test chooses between two host launchers, so the host and
// old GPUs call the one that launches and new GPUs the one that does not.
#include <type_traits>

struct ArchTag {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static constexpr bool supported = false;
#else
    static constexpr bool supported = true;
#endif
};

template <class T>
__global__ void attention(T *out) {
    *out = T(1);
}

template <class Arch, class T>
typename std::enable_if<Arch::supported>::type launch_attention(T *out) {
    attention<T><<<1, 1>>>(out); //~[sm_90] arch-dependent-instantiation "attention"
}

template <class Arch, class T>
typename std::enable_if<!Arch::supported>::type launch_attention(T *) {}

void run(float *out) {
    launch_attention<ArchTag>(out);
}
