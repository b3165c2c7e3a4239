// A macro makes a kernel template and its launcher from a name, and is used under a guard.
#define DEFINE_KERNEL(name)                  \
    template <class T>                       \
    __global__ void name##_kernel(T *out) {  \
        *out = T(1);                         \
    }                                        \
    inline void run_##name(float *out) {     \
        name##_kernel<float><<<1, 1>>>(out); \
    }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
DEFINE_KERNEL(cluster) //~[sm_80] arch-dependent-instantiation "cluster_kernel"
#endif
DEFINE_KERNEL(block)
