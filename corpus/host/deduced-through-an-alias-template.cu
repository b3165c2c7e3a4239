// Alias templates in the parameters of launchers; the size that differs is in no template argument, but in what the host
// passes to a kernel that counts to another one.
template <class T, int Rank>
struct Tensor {
    T *data;
};
template <class T>
using Vector = Tensor<T, 1>;
template <class T>
using Pointer = T *;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
constexpr int chunk = 64;
#else
constexpr int chunk = 32;
#endif

template <class T>
__global__ void scale(T *data) {
    for (int i = 0; i < chunk; ++i) data[i] *= T(2);
}

template <class T>
void launch(Vector<T> vector) {
    scale<T><<<1, 1>>>(vector.data);
}

template <class T>
void launch_plain(Pointer<const T> data, Pointer<T> out) {
    scale<T><<<1, 1>>>(out + (data ? chunk : 0)); //~[sm_80] host-value-by-pass "`launch_plain` passes it to a kernel, and 32 on sm_80"
}

void run(double *data) {
    launch(Tensor<float, 1>{});
    launch_plain(static_cast<const double *>(data), data);
}
