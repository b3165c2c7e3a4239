// What is instantiated explicitly is declared first and defined later, the default argument is the declaration's, and
// a class names one specialization its friend.
template <class T>
__global__ void copy(T *out) {
    *out = T(1);
}

template <class T>
class Vault;
template <class T>
void open(Vault<T> &vault, int times = 1);
template <class T>
void go(T *out);
template <class T>
void go(T *out, int count);

template <class T>
class Vault {
    friend void open<T>(Vault<T> &, int);
    T *out = nullptr;
};

template <class T>
void open(Vault<T> &vault, int times) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    copy<<<1, times>>>(vault.out); //~[host,sm_90] arch-dependent-instantiation "copy<float>"
#endif
}

template <class T>
void go(T *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    copy<T><<<1, 1>>>(out); //~[host,sm_90] arch-dependent-instantiation "copy<double>"
#endif
}

template <class T>
void go(T *out, int count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    copy<volatile T><<<1, count>>>(out);
#endif
}

template void go(double *out);

void use(Vault<float> &vault) {
    open(vault);
}
