// A tour of the stages: a macro derived from the architecture, an alias under it, a kernel and a launch.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HAS_FP8 1
#else
#define HAS_FP8 0
#endif

#if HAS_FP8
using Weight = unsigned char;
#else
using Weight = unsigned short;
#endif

template <class T>
__global__ void scale(T *data) { *data *= T(2); }

void launch(void *data) {
    scale<<<1, 1>>>(static_cast<Weight *>(data)); //~[host,sm_80] arch-dependent-instantiation "scale<unsigned short>"
}
