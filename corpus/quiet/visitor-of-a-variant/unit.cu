// A visitor of two variants launches for every pair of alternatives, the same in all passes.
//@ include: library
#include <variant>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
constexpr int chunk = 64;
#else
constexpr int chunk = 32;
#endif

template <class To, class From>
__global__ void convert(To *to, const From *from) {
    for (int i = 0; i < chunk; ++i) to[i] = To(from[i]);
}

using Data = std::variant<float *, double *>;

void run(Data &to, Data &from) {
    std::visit([](auto *out, auto *in) { convert<<<chunk, 1>>>(out, in); }, to, from); //~ host-value-by-pass "`chunk`"
}
