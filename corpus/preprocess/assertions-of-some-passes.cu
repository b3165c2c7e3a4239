// `static_assert`s on constants that the architecture decides: of namespace scope, in a kernel, in a class.
//@ targets: 80,90
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int stages = 4;
using word = long long;
#else
constexpr int stages = 2;
using word = int;
#endif

__global__ void copy(int *out) {
    static_assert(stages * 2 < 8, "too many stages"); //~[sm_90] pass-only-failure "stops the compilation for sm_90"
    *out = stages;
}

struct Tile {
    int rows;
    static_assert(sizeof(word) == 4, "words of four bytes"); //~[sm_90] pass-only-failure "`static_assert(sizeof(word) == 4"
};
