// A macro repeats one lambda for every element type. The lambda inside it is another one in each branch, and on new GPUs
// one of its launches is for a type that the host does not launch for.
#include <type_traits>

#define FOR_TYPE(is_float, ...)          \
    if (is_float) {                 \
        using element = float;      \
        __VA_ARGS__();              \
    } else {                        \
        using element = half_of_it; \
        __VA_ARGS__();              \
    }

#if __CUDA_ARCH__ >= 900
typedef short half_of_it;
#else
typedef unsigned short half_of_it;
#endif

template <class T, bool Aligned>
__global__ void copy(T *to, const T *from) {
    to[threadIdx.x] = from[threadIdx.x + !Aligned];
}

template <class Body>
void with_flag(bool flag, Body &&body) {
    if (flag) {
        body(std::true_type());
    } else {
        body(std::false_type());
    }
}

void run(void *to, const void *from, bool is_float, bool aligned) {
    FOR_TYPE(is_float, [&] {
        with_flag(aligned, [&](auto flag) {
            copy<element, decltype(flag)::value><<<1, 32>>>((element *)to, (const element *)from); //~ arch-dependent-instantiation "copy<unsigned short, false>"
        });
    });
}
