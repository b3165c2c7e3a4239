// A dispatch macro wraps its argument in a lambda, as PyTorch's do; the launch inside is guarded.
#define DISPATCH_FLOATING(kind, ...)                  \
    [&] {                                             \
        if ((kind) == 0) {                            \
            using scalar_t = float;                   \
            __VA_ARGS__();                            \
        } else {                                      \
            using scalar_t = double;                  \
            __VA_ARGS__();                            \
        }                                             \
    }()

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define LAUNCH(...) __VA_ARGS__
#else
#define LAUNCH(...)
#endif

template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

void run(int kind, void *data) {
    DISPATCH_FLOATING(kind, [&] {
        LAUNCH(scale<scalar_t><<<1, 1>>>(static_cast<scalar_t *>(data))); //~[sm_80] arch-dependent-instantiation "scale"
    });
}
