// Attributes, inlining words and deprecation notes are no part of a type.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define UNUSED [[maybe_unused]]
#define HOT __attribute__((hot))
#else
#define UNUSED
#define HOT
#endif

UNUSED static __device__ int calls;

HOT __global__ void tick(UNUSED int step, int *out) {
    *out = 1;
}

template <class T>
UNUSED __global__ void tock(T *out) {
    *out = T(1);
}

void run(int *out) {
    tick<<<1, 1>>>(1, out);
    tock<<<1, 1>>>(out);
}
