// What a generic lambda is called with is spelled by pass and means the same, or comes in another order; and one that
// is called with more types on new GPUs adds instantiations there which the host never launches.
#include <type_traits>

#if __CUDA_ARCH__ >= 900
typedef signed int index_type;
constexpr int width = 2 * 64;
#else
typedef int index_type;
constexpr int width = 128;
#endif

template <class T, int N>
__global__ void step(T *data) {
    data[threadIdx.x] += N;
}

template <class T>
__global__ void finish(T *data) {
    data[threadIdx.x] = T();
}

template <class Body>
void twice(Body body) {
#if __CUDA_ARCH__ >= 900
    body(0.0f);
    body(index_type());
    body(0.0);
#else
    body(index_type());
    body(0.0f);
#endif
}

void run(void *data) {
    [=](auto zero, auto tag) {
        step<decltype(zero), decltype(tag)::value><<<1, 32>>>((decltype(zero) *)data);
    }(index_type(), std::integral_constant<int, width>());

    twice([=](auto zero) { finish<decltype(zero)><<<1, 32>>>((decltype(zero) *)data); });
}
