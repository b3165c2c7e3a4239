// New GPUs have an overload more, for which no argument of the call is good: every pass deduces the same.
template <class T>
__global__ void store(T value, T *out) {
    *out = value;
}

template <class T>
void launch(T value, T *out) {
    store<<<1, 1>>>(value, out);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
struct Tensor {};

template <class T>
void launch(Tensor, T *out) {
    store<<<1, 1>>>(T(2), out);
}

void launch(float value, const Tensor &, float *out) {
    (void)value;
    (void)out;
}
#endif

void run(float *out) {
    launch(1.0f, out);
}
