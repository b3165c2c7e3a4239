// Which return of several is left comes out the same for every pass, and all that are left give one type.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr int width = 16;
#else
constexpr int width = 8;
#endif

template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

template <class T>
void launch(T) {
    scale<T><<<1, 1>>>(nullptr);
}

template <int Width>
auto zero() {
    if constexpr (Width > 4) {
        return 0.0;
    } else {
        return 0.0f;
    }
}

auto factor(int steps) {
    if (steps > width) return steps * 2L;
    return 1L;
}

void run(int steps) {
    launch(zero<width>());
    launch(factor(steps));
}
