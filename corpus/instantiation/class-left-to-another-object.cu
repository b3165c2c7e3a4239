// For new GPUs only, the members of a class are said to be in another object. Those that are not inline are then not
// instantiated here, with the kernels that they launch.
template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

template <class T>
__global__ void zero(T *data) {
    *data = T(0);
}

template <class T>
struct Launcher {
    void run(T *data);
    void stop(T *data) { zero<T><<<1, 1>>>(data); }
};

template <class T>
void Launcher<T>::run(T *data) {
    scale<T><<<1, 1>>>(data); //~[sm_90] arch-dependent-instantiation "scale<double>"
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
extern template struct Launcher<double>;
#endif

void run(double *data) {
    Launcher<double> launcher;
    launcher.run(data);
    launcher.stop(data);
}
