// The launcher takes its type from `Tensor<T, 2>`, whose other arguments are defaults, written on an earlier declaration.
// The number of lanes differs on sm_80, and so does the instantiation.
//@ targets: 80,90
template <class T>
struct Plain {
    using pointer = T *;
};

template <class T, int Dimensions, bool Contiguous = false, template <class> class Traits = Plain>
struct Tensor;

template <class T, int Dimensions, bool Contiguous, template <class> class Traits>
struct Tensor {
    typename Traits<T>::pointer data;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr int kLanes = 16;
#else
constexpr int kLanes = 32;
#endif

template <int Lanes, class T>
__global__ void fill(T *out) {
    *out = T(Lanes);
}

template <class T>
void launch(Tensor<T, 2> &tensor) {
    fill<kLanes, T><<<1, 1>>>(tensor.data); //~[sm_80] arch-dependent-instantiation "fill<32, float>"
}

void run(Tensor<float, 2> &tensor) {
    launch(tensor);
}
