// CCCL puts its entities into an inline namespace named after the list of targets, which is equal in all passes.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define FIRST_(first, ...) first
#define FIRST(...) FIRST_(__VA_ARGS__)

namespace lib {
inline namespace JOIN(sm_, FIRST(__CUDA_ARCH_LIST__)) {
template <class T>
__global__ void fill(T *data) {
    *data = T(1);
}
}
}

void run(int *data) {
    lib::fill<<<1, 1>>>(data);
}
