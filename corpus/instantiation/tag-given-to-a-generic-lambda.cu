// A generic lambda takes the number for its launch from the type of what it is called with, at once or by a name; each
// call instantiates its body, here for another number on new GPUs.
#include <type_traits>

#if __CUDA_ARCH__ >= 900
constexpr int width = 256;
#else
constexpr int width = 128;
#endif

template <int N>
__global__ void scale(float *data) {
    data[threadIdx.x] *= N;
}

template <int N>
__global__ void shift(float *data) {
    data[threadIdx.x] += N;
}

template <int N>
__global__ void clear(float *data) {
    data[threadIdx.x % N] = 0;
}

void run(float *data) {
    [&](auto tag) {
        scale<decltype(tag)::value><<<1, 32>>>(data); //~ arch-dependent-instantiation "scale<128>"
    }(std::integral_constant<int, width>());

    auto launch = [=](auto tag) {
        constexpr int twice = tag() * 2;
        shift<twice><<<1, 32>>>(data); //~ arch-dependent-instantiation "shift<256>"
    };
    launch(std::integral_constant<int, width>{});

    auto convert = [=](auto tag) {
        clear<tag><<<1, 32>>>(data); //~ arch-dependent-instantiation "clear<128>"
    };
    convert(std::integral_constant<int, width>());
    convert(std::integral_constant<int, 32>());
}
