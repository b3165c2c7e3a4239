// `#error`s that no target in force meets, and `static_assert`s that hold in every pass, although what they ask for differs;
// some whose condition can't be told from here: in templates, on parameters, on what a function or a class declares.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "this needs sm_70"
#endif
#ifndef __CUDACC__
#error "this needs nvcc"
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int stages = 4;
constexpr int rows = 64;
#else
constexpr int stages = 2;
constexpr int rows = 32;
#endif
static_assert(stages >= 2, "at least two stages");
static_assert(rows == 16 * stages, "sixteen rows for each stage");

template <int stages>
struct Pipeline {
    static_assert(stages == 2, "two stages");
};

template <class T>
__global__ void fill(T *out) {
    static_assert(sizeof(T) == 4, "words of four bytes");
    static_assert(stages == 4 || sizeof(T) == 4, "four stages or words of four bytes");
    *out = T(stages);
}

__global__ void copy(int *out) {
    constexpr int stages = 2;
    static_assert(stages == 2, "its own");
    *out = stages;
#ifdef __CUDA_ARCH__
    static_assert(__CUDA_ARCH__ >= 800, "this needs sm_80");
#endif
}

struct Limits {
    static constexpr int rows = 8;
    enum { stages = 8 };
    void check() {
        static_assert(rows == 8, "its own");
        static_assert(stages == 8, "its own");
    }
};
