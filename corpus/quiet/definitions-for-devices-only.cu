// Definitions behind guards that the host never enters which cost the host nothing: device functions, declared so at another
// place, in a class, by a macro; constexpr functions; what the host has a definition of itself,
// in an `#else`, in another conditional or without one; instantiations of device templates, and `extern` ones; prototypes.
#define LIBRARY_INLINE __device__ inline

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ int quick(int value) {
    return value << 1;
}
LIBRARY_INLINE int careful(int value) {
    return value * 2;
}
constexpr int twice(int value) {
    return value * 2;
}
int threads() {
    return 256;
}
#else
int threads() {
    return 128;
}
#endif

__device__ int declared(int value);
template <class T>
__device__ T templated(T value) {
    return value;
}
template <class T>
int bytes(int count) {
    return count * sizeof(T);
}
struct Both {
    __host__ __device__ int size() const;
    int rows;
};

#ifdef __CUDA_ARCH__
int declared(int value) {
    return value;
}
int Both::size() const {
    return rows;
}
template int templated<int>(int);
extern template int bytes<float>(int);
int prototype(int value);
static int shared() {
    return 1;
}
#endif

#ifndef __CUDA_ARCH__
static int shared() {
    return 2;
}
#endif

struct Device {
    int rows;
#ifdef __CUDA_ARCH__
    __device__ int first() const {
        return rows;
    }
#endif
    __host__ __device__ int last() const {
        return rows - 1;
    }
};

__global__ void fill(int *out) {
    *out = 1;
}
