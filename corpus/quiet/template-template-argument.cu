// A class template as the argument, by an alias template in one arm and by its own name in the other: what the launch
// takes from it is the same.
template <class T>
struct Row {
    static constexpr int kStride = 1;
    using element = T;
};

template <class T>
struct Column {
    static constexpr int kStride = 1;
    using element = T;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
template <class T>
using Layout = Column<T>;
#else
template <class T>
using Layout = Row<T>;
#endif

template <class Element, int Stride>
__global__ void copy(const Element *in, Element *out) {
    out[threadIdx.x * Stride] = in[threadIdx.x];
}

template <template <class> class L, class T>
void launch(const T *in, T *out) {
    copy<typename L<T>::element, L<T>::kStride><<<1, 32>>>(in, out);
}

void run(const float *in, float *out) {
    launch<Layout>(in, out);
}
