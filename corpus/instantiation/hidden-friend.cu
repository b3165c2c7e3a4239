// The function that launches is a friend which is only found by the type of its argument ([basic.lookup.argdep]).
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Scalar = double;
#else
using Scalar = float;
#endif

template <class T>
__global__ void fill(T *data) {
    *data = T();
}

namespace field {
template <class T>
struct Grid {
    T *data;

    friend void relax(Grid grid) {
        fill<T><<<1, 1>>>(grid.data); //~[host,sm_90] arch-dependent-instantiation "`fill<double>` (and 2 more)"
    }

    template <class U>
    friend void blend(Grid, U) {
        fill<U *><<<1, 1>>>(nullptr);
    }
};

struct Mesh {
    friend void smooth(Mesh) {
        fill<Scalar **><<<1, 1>>>(nullptr);
    }
};
}

void run(field::Grid<Scalar> grid) {
    relax(grid);
    blend(grid, Scalar(1));
}
