// DeepSpeed's own condition: two comparisons of one name, of which the first `<` and the `>` of the second
// look like the brackets of template arguments.
#include <type_traits>

struct Older {
    static constexpr int least = 80;
};
struct Hopper {
    static constexpr int least = 90;
};

template <class Arch>
struct Check {
    static constexpr bool is_older = Arch::least < 90 && Arch::least >= 80;
    static constexpr bool is_hopper = Arch::least >= 90;
#if defined(__CUDA_ARCH__)
    static constexpr bool compiled_for = Arch::least * 10 <= __CUDA_ARCH__;
#else
    static constexpr bool compiled_for = true;
#endif
    static constexpr bool value = is_older || is_hopper && compiled_for;
};

template <class Arch, class T>
__global__ void attention(T *out) {
    *out = T(1);
}

template <class Arch, class T>
typename std::enable_if<!Check<Arch>::value>::type launch(T *) {}

template <class Arch, class T>
typename std::enable_if<Check<Arch>::value>::type launch(T *out) {
    constexpr auto kernel = attention<Arch, T>; //~[host,sm_90] arch-dependent-instantiation "attention<Hopper, float>"
    kernel<<<1, 1>>>(out);
}

void run(int capability, float *out) {
    if (capability >= 90) {
        launch<Hopper>(out);
    } else {
        launch<Older>(out);
    }
}
