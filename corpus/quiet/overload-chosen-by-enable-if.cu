// `enable_if` on an architecture test chooses between two kernel templates with the same parameters: the
// instantiation is `copy<int, 0>` in every pass, only its body differs, and nvcc builds the same entry everywhere.
#include <type_traits>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr bool kBulkCopy = true;
#else
constexpr bool kBulkCopy = false;
#endif

template <class T, std::enable_if_t<kBulkCopy && sizeof(T) != 0, int> = 0>
__global__ void copy(T *out) {
    *out = T(2);
}

template <class T, std::enable_if_t<!kBulkCopy && sizeof(T) != 0, int> = 0>
__global__ void copy(T *out) {
    *out = T(1);
}

int main() {
    copy<int><<<1, 1>>>(nullptr);
    return 0;
}
