// A kernel is declared before, as a friend and in another scope, under guards: declaring it once more changes nothing.
template <class T>
class Grid;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
template <class T>
__global__ void refine(Grid<T> *grid, int level);
__global__ void report(int *out);
#endif

template <class T>
class Grid {
#ifdef __CUDA_ARCH__
    template <class U>
    friend __global__ void refine(Grid<U> *, int);
#else
    template <class Any>
    friend __global__ void refine(Grid<Any> *grid, int depth);
#endif
    T spacing = T(1);
};

template <class T>
__global__ void refine(Grid<T> *grid, int level) {
    grid->spacing /= level;
}

__global__ void report(int *out) {
    *out += 1;
}

void run(Grid<float> *grid, int *out) {
    refine<<<1, 1>>>(grid, 2);
    report<<<1, 1>>>(out);
}
