// The parameters of launchers are alias templates. What these stand for gives the launchers' arguments, the rank as well
// as the element, and which of the launchers can be called.
template <class T, int Rank>
struct Tensor {
    T *data;
};
template <class T>
using Vector = Tensor<T, 1>;
template <class T>
using Matrix = Tensor<T, 2>;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using element = double;
constexpr int rank = 2;
#else
using element = float;
constexpr int rank = 1;
#endif

template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

template <int Rank>
__global__ void zero(float *data) {
    data[Rank] = 0;
}

template <class T>
void launch_scale(Vector<T> vector) {
    scale<T><<<1, 1>>>(vector.data); //~[sm_80] arch-dependent-instantiation "scale<double>"
}

template <class T>
void launch_zero(const Vector<T> &vector) {
    zero<1><<<1, 1>>>(vector.data);
}

template <class T>
void launch_zero(const Matrix<T> &matrix) {
    zero<2><<<1, 1>>>(matrix.data); //~[sm_80] arch-dependent-instantiation "zero<2>"
}

void run() {
    launch_scale(Tensor<element, 1>{});
    launch_zero(Tensor<float, rank>{});
}
