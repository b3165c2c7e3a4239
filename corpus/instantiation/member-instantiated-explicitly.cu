// One member of a class template is instantiated explicitly, which takes the kernels along that it launches.
template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

template <class T>
class Launcher {
public:
    void run(T *data);
    void stop(T *data);
};

template <class T>
void Launcher<T>::run(T *data) {
    scale<T><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "scale<double>"
}

template <class T>
void Launcher<T>::stop(T *data) {
    scale<volatile T><<<1, 1>>>(data);
}

template void Launcher<float>::run(float *);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template void Launcher<double>::run(double *);
#endif
