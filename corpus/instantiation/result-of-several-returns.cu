// A result that is `auto` comes from any of a function's returns, but for those of a discarded branch.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define UNIT 1.0
constexpr bool wide = true;
#else
#define UNIT 1.0f
constexpr bool wide = false;
#endif

template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

template <class T>
void launch(T) {
    scale<T><<<1, 1>>>(nullptr); //~ arch-dependent-instantiation "scale<float>"
}

auto factor(int steps) {
    if (steps > 3) {
        auto many = UNIT * steps;
        return many;
    }
    return UNIT;
}

template <bool Wide>
auto zero() {
    if constexpr (Wide) {
        return 0L;
    } else {
        short narrow = 0;
        return narrow;
    }
}

void run(int steps) {
    launch(factor(steps));
    launch(zero<wide>());
}
