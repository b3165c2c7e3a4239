// A mention in a function that nobody calls instantiates the kernel all the same.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

inline void reset(int *data) {
#ifndef __CUDA_ARCH__
    clear<<<1, 1>>>(data); //~ arch-dependent-instantiation "clear"
#endif
}

struct Owner {
    void reset(float *data) {
#ifndef __CUDA_ARCH__
        clear<<<1, 1>>>(data); //~ arch-dependent-instantiation "clear"
#endif
    }
};
