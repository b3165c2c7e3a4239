// The list of targets is the same in every pass of a unit and not the same for both units.
#pragma once
#define FIRST_(first, ...) first
#define FIRST(...) FIRST_(__VA_ARGS__)
#define LOWEST FIRST(__CUDA_ARCH_LIST__)
#if LOWEST >= 900
#define STEP 3
#else
#define STEP 2
#endif

template <class T>
__device__ T shift(T x) { //~ arch-dependent-header "shift"
#if LOWEST >= 900
    return x << 3;
#else
    return x << 2;
#endif
}

template <class T>
__device__ T turn(T x) { //~ arch-dependent-header "turn"
    return x >> STEP;
}
