// `std::visit` calls its visitor for each alternative. New GPUs and the host have one more; a functor's launch has a
// constant of the pass among its arguments.
//@ include: library
#include <variant>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Data = std::variant<float *, double *>;
constexpr int chunk = 64;
#else
using Data = std::variant<float *>;
constexpr int chunk = 32;
#endif

template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

template <class T, int Chunk>
__global__ void zero(T *data) {
    data[Chunk] = T(0);
}

struct Zero {
    template <class T>
    void operator()(T *data) const {
        zero<T, chunk><<<1, 1>>>(data); //~ arch-dependent-instantiation "zero"
    }
};

void run(Data &data, std::variant<int *, long *> &counters) {
    std::visit([](auto *each) {
        scale<<<1, 1>>>(each); //~[sm_80] arch-dependent-instantiation "scale<double>"
    }, data);
    Zero zero_all;
    std::visit(zero_all, counters);
}
