// DeepSpeed's own condition: two comparisons of one name, of which the first `<` and the `>` of the second
// look like the brackets of template arguments.
//@ targets: 70,80
#include <type_traits>

struct Volta {
    static constexpr int least = 70;
};
struct Ampere {
    static constexpr int least = 80;
};

template <class Arch>
struct Check {
    static constexpr bool is_volta = Arch::least < 80 && Arch::least >= 70;
    static constexpr bool is_ampere = Arch::least >= 80;
#if defined(__CUDA_ARCH__)
    static constexpr bool compiled_for = Arch::least * 10 <= __CUDA_ARCH__;
#else
    static constexpr bool compiled_for = true;
#endif
    static constexpr bool value = is_volta || is_ampere && compiled_for;
};

template <class Arch, class T>
__global__ void attention(T *out) {
    *out = T(1);
}

template <class Arch, class T>
typename std::enable_if<!Check<Arch>::value>::type launch(T *) {}

template <class Arch, class T>
typename std::enable_if<Check<Arch>::value>::type launch(T *out) {
    constexpr auto kernel = attention<Arch, T>; //~[host,sm_80] arch-dependent-instantiation "attention<Ampere, float>"
    kernel<<<1, 1>>>(out);
}

void run(int capability, float *out) {
    if (capability >= 80) {
        launch<Ampere>(out);
    } else {
        launch<Volta>(out);
    }
}
