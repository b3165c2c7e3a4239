// Code takes the number as directives do, and it says as little about a GPU of AMD's there. The host's pass, where it is
// no number, reads nothing of this.
//@ targets: 86,gfx1100
#define IS_NEW (__CUDA_ARCH__ >= 900)
#define SM __CUDA_ARCH__

template <int Number>
__device__ void tuned(int *out) {
    *out = Number;
}

#ifdef __CUDA_ARCH__
constexpr int number = __CUDA_ARCH__; //~ numeric-arch-comparison "`number` is compared, and is `__CUDA_ARCH__`"
constexpr int stages = number >= 800 ? 4 : 2;

__device__ constexpr int generation() {
    return __CUDA_ARCH__ / 100; //~ numeric-arch-comparison "`generation` is compared"
}

__device__ void compared(int *out) {
    if (__CUDA_ARCH__ >= 800) //~ numeric-arch-comparison "`__CUDA_ARCH__ >= 800` asks for a number that says nothing about gfx1100"
        *out = 1;
    if constexpr (700 < __CUDA_ARCH__) //~ numeric-arch-comparison "`__CUDA_ARCH__ > 700`"
        *out = stages;
    else if (static_cast<int>(__CUDA_ARCH__) / 10 == 86) //~ numeric-arch-comparison "`__CUDA_ARCH__` decides"
        *out = 3;
    // The quotient is compared, not the number: no architecture's number is below 20, and every generation is.
    if ((__CUDA_ARCH__ / 100) < 20) //~ numeric-arch-comparison "`__CUDA_ARCH__` decides"
        *out = 8;
    const int arch{__CUDA_ARCH__}; //~ numeric-arch-comparison "`arch` is compared"
    switch (arch) {
    case 860:
        *out = 4;
    }
    *out += SM < 750 ? 5 : 6; //~ numeric-arch-comparison "`__CUDA_ARCH__ < 750`"
    tuned<__CUDA_ARCH__>(out); //~ numeric-arch-comparison "`__CUDA_ARCH__` decides"
    if (generation() == 8)
        *out = 7;
}

// A macro that compares is one place, wherever it stands.
__device__ void by_macro(int *out) {
    if (IS_NEW) //~ numeric-arch-comparison "`__CUDA_ARCH__ >= 900`"
        *out = 1;
    *out += IS_NEW ? 2 : 3;
}
#endif

__global__ void run(int *out) {
#ifdef __CUDA_ARCH__
    compared(out);
    by_macro(out);
#endif
}
