// Constructors that no expression names: those of the bases of a recursive class template, and the one that converts an
// argument.
template <int N>
__global__ void start(int *out) {
    *out = N;
}

template <int N>
struct Chain : Chain<N - 1> {
    Chain() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        start<N><<<1, 1>>>(nullptr); //~[host,sm_90] arch-dependent-instantiation "`start<1>` (and 1 more)"
#endif
    }
};

template <>
struct Chain<0> {};

template <class T>
struct View {
    View(T *data) : data(data) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        start<sizeof(T)><<<1, 1>>>(nullptr); //~[host,sm_90] arch-dependent-instantiation "start<8>"
#endif
    }
    T *data;
};

double *first(View<double> view) {
    return view.data;
}

double *use(double *data) {
    Chain<2> chain;
    (void)chain;
    return first(data);
}
