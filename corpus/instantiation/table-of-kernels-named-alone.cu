// Kernel templates are named without arguments where a type is expected: the elements of a table, a member of its
// entries, a parameter, an assignment and a result choose them ([over.over]).
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Scalar = double;
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

static const Kernel kernels[] = {fill, nullptr}; //~[host,sm_90] arch-dependent-instantiation "fill<double>"
static const Entry entries[] = {{"clear", clear, 32}, {.name = "none", .kernel = nullptr, .threads = 1}}; //~[host,sm_90] arch-dependent-instantiation "clear<double>"

void call(void (*kernel)(Scalar *, const int *), int threads);

Kernel chosen() {
    return swap_halves; //~[host,sm_90] arch-dependent-instantiation "swap_halves<double>"
}

void (*plain)(int *) = note;

struct State {
    Kernel kernel = nullptr;
};

void set(State &state) {
    call(convert, 1); //~[host,sm_90] arch-dependent-instantiation "convert<double, int>"
    state.kernel = scale; //~[host,sm_90] arch-dependent-instantiation "scale<double>"
}
