// Friends that launch are found by their arguments, which have the same types in all passes. The friend of a class that
// is no template is an ordinary function.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
typedef float Scalar;
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
        fill<T><<<1, 1>>>(grid.data);
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
