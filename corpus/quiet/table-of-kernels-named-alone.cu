// Kernel templates are named without arguments, and what they are converted to is the same type in all passes. An
// overload that is no template is preferred where it fits.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
typedef float Scalar;
#else
using Scalar = float;
#endif

template <class T>
__global__ void fill(T *data) {
    *data = T();
}

template <class T>
__global__ void clear(T *data) {
    *data = 0;
}

template <class T>
__global__ void scale(T *data) {
    *data *= 2;
}

template <class T, class U>
__global__ void convert(T *to, const U *from) {
    *to = *from;
}

__global__ void note(int *data) {
    *data = 1;
}

template <class T>
__global__ void note(T *data) {
    *data = 2;
}

template <class T>
__global__ void swap_halves(T *data) {
    data[0] = data[1];
}

using Kernel = void (*)(Scalar *);

struct Entry {
    const char *name;
    Kernel kernel;
    int threads;
};

static const Kernel kernels[] = {fill, nullptr};
static const Entry entries[] = {{"clear", clear, 32}, {.name = "none", .kernel = nullptr, .threads = 1}};

void call(void (*kernel)(Scalar *, const int *), int threads);

Kernel chosen() {
    return swap_halves;
}

void (*plain)(int *) = note;

struct State {
    Kernel kernel = nullptr;
};

void set(State &state) {
    call(convert, 1);
    state.kernel = scale;
}
