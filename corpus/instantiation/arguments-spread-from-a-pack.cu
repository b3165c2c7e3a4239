// Launchers spread the packs that they are given into a launch, which deduces from each element: as they are, forwarded,
// one launch an element, and in a generic lambda with a pack of its own.
#include <utility>

#if __CUDA_ARCH__ >= 900
typedef double real;
#else
typedef float real;
#endif

template <class T>
__global__ void fill(T *data, int count) {
    data[threadIdx.x] = count;
}

template <class T, class U>
__global__ void add(T *data, U value) {
    data[threadIdx.x] += value;
}

template <class T>
__global__ void show(T value) {}

template <class... Values>
__global__ void store(Values... values) {}

template <class... Arguments>
void launch_fill(Arguments... arguments) {
    fill<<<1, 32>>>(arguments...); //~ arch-dependent-instantiation "fill<float>"
}

template <class... Arguments>
void launch_add(int blocks, Arguments &&...arguments) {
    add<<<blocks, 32>>>(std::forward<Arguments>(arguments)...); //~ arch-dependent-instantiation "add<int, float>"
}

template <class... Arguments>
void show_each(const Arguments &...arguments) {
    (show<<<1, 1>>>(arguments), ...); //~ arch-dependent-instantiation "show<float>"
}

void run(real *data, int *counts) {
    launch_fill(data, 3);
    launch_add(2, counts, real(1));
    show_each(1, real());
    [](auto... all) {
        store<<<1, 1>>>(all...); //~ arch-dependent-instantiation "store<int, float>"
    }(1, real());
}
