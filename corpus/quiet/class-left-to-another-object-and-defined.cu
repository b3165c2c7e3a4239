// A class that a header leaves to one object, in that object: under a guard it is declared, and everywhere it is
// instantiated.
template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

template <class T>
struct Launcher {
    void run(T *data);
};

template <class T>
void Launcher<T>::run(T *data) {
    scale<T><<<1, 1>>>(data);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
extern template struct Launcher<double>;
#endif

void run(double *data) {
    Launcher<double>().run(data);
}

template struct Launcher<double>;
