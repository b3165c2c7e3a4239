// A forwarding reference deduces an lvalue reference from an lvalue, which selects the specialization that launches. An
// object converts by a conversion function template, which nothing names.
template <class T>
__global__ void scale(float *out) {
    *out *= sizeof(T);
}

template <class T>
struct Sink {
    static void run(float *) {}
};
template <class T>
struct Sink<T &> {
    static void run(float *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        scale<T><<<1, 1>>>(out); //~ arch-dependent-instantiation "scale<int>"
#endif
    }
};

template <class T>
void take(T &&, float *out) {
    Sink<T>::run(out);
}

struct Any {
    float *out;
    template <class T>
    operator T *() const {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        scale<T *><<<1, 1>>>(out); //~ arch-dependent-instantiation "scale<short *>"
#endif
        return nullptr;
    }
};

void run(Any any) {
    int n = 1;
    take(n, any.out);
    take(2.0, any.out);
    short *words = any;
    take(3u + (words != nullptr), any.out);
}
