// The unit for old GPUs has the header's function in no object: the functions that mention it are a template that nobody
// instantiates, an inline function that nobody calls, and a member function of a class that nobody has. Of the last
// function only the other object has a copy, since an `extern template` leaves the kernel to it. Through an operator and
// a lambda in an initializer the other functions come into both objects.
#pragma once

template <class T>
__device__ T shift(T x) {
#if __CUDA_ARCH__ >= 900
    return x << 3;
#else
    return x << 2;
#endif
}

template <class T>
__device__ T shift_twice(T x) {
    return shift(shift(x));
}

inline __device__ int shift_one(int x) {
    return shift_twice(x + 1);
}

struct Shifter {
    __device__ int run(int x) { return shift_one(x); }
};

template <class T>
__device__ __noinline__ T turn(T x) { //~ arch-dependent-header "turn"
#if __CUDA_ARCH__ >= 900
    return x / 3;
#else
    return x / 2;
#endif
}

struct Turned {
    int value;
};

__device__ __forceinline__ Turned operator+(Turned left, Turned right) {
    return Turned{left.value + turn(right.value)};
}

__device__ __forceinline__ auto sum(Turned value) {
    return value + value;
}

template <class T>
__device__ __noinline__ T flip(T x) { //~ arch-dependent-header "flip"
#if __CUDA_ARCH__ >= 900
    return x ^ 3;
#else
    return x ^ 2;
#endif
}

template <class T>
__global__ void flip_all(T *data) {
    *data = flip(*data);
}

template <class T>
__device__ __noinline__ T move(T x) {
#if __CUDA_ARCH__ >= 900
    return x + 3;
#else
    return x + 2;
#endif
}

template <class T>
__global__ void move_all(T *data) {
    *data = move(*data);
}

using Launch = void (*)(int *);
struct Registrar {
    Registrar(Launch launch);
};
