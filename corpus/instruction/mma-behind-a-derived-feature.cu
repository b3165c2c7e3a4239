// Each instruction stands behind a macro of the project that only targets have that know it, one of them derived in
// two steps, and one in an `if constexpr` that other targets discard.
//@ targets: 75,80,90
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HAS_ASYNC_COPY 1
#else
#define HAS_ASYNC_COPY 0
#endif

#if HAS_ASYNC_COPY && __CUDA_ARCH__ >= 900
#define PATH_LEVEL 2
#elif HAS_ASYNC_COPY
#define PATH_LEVEL 1
#else
#define PATH_LEVEL 0
#endif

template <bool Wait>
__device__ void finish() {
#if PATH_LEVEL == 2
    asm volatile("griddepcontrol.wait;");
#elif PATH_LEVEL >= 1
    if constexpr (Wait) asm volatile("cp.async.wait_all;");
#endif
}

__global__ void load(float *data) {
    finish<HAS_ASYNC_COPY != 0>();
    data[threadIdx.x] += PATH_LEVEL;
}

void run(float *data) {
    load<<<1, 32>>>(data);
}
