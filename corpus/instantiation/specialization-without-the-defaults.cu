// The specialization for pointers leaves out the second argument, which is `void` by default. It is chosen on the host
// and on sm_90, where the element is a pointer, and the primary template on sm_80.
//@ targets: 80,90
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
using element = float;
#else
using element = float *;
#endif

template <class T, class = void>
struct Tile {
    static constexpr int rows = 8;
};

template <class T>
struct Tile<T *> {
    static constexpr int rows = 4;
};

template <int Rows>
__global__ void sweep(int *out) {
    *out = Rows;
}

void run(int *out) {
    sweep<Tile<element>::rows><<<1, 1>>>(out); //~[sm_80] arch-dependent-instantiation "sweep<4>"
}
