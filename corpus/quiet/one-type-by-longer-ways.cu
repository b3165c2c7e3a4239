// Both arms mean the same types, one of them through typedefs, traits and a template of its own.
#include <cstdint>
#include <type_traits>

template <class T>
struct Same {
    using type = T;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using index_t = std::int32_t;
using value_t = typename Same<std::remove_const_t<const float>>::type;
using mask_t = std::make_unsigned_t<index_t>;
typedef value_t row_t[4];
#else
using index_t = int;
using value_t = float;
using mask_t = unsigned;
typedef float row_t[2 + 2];
#endif

__global__ void gather(const value_t *in, const index_t *indices, mask_t mask, row_t *rows) {
    (*rows)[threadIdx.x & 3] = in[indices[threadIdx.x] & mask];
}

void run(const float *in, const int *indices, float (*rows)[4]) {
    gather<<<1, 4>>>(in, indices, 0xffu, rows);
}
