// What a class template's members launch stands behind the class: a member template, a destructor and the member of a
// nested class. sm_80 lacks what the guards keep from it.
template <class T, int N>
__global__ void fill(T *out) {
    *out = T(N);
}

template <class T>
struct Filler {
    ~Filler();
    template <int N>
    void run(T *out);
    void run(T *out, int count);
    struct Tail;
    T *held;
};

template <class T>
struct Filler<T>::Tail {
    void run(T *out);
};

template <class T>
template <int N>
void Filler<T>::run(T *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    fill<T, N><<<1, 1>>>(out); //~[host,sm_90] arch-dependent-instantiation "fill<float, 9>"
#endif
}

// Nobody calls this overload.
template <class T>
void Filler<T>::run(T *out, int count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    fill<T, 7><<<1, count>>>(out);
#endif
}

template <class T>
Filler<T>::~Filler() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    fill<T, 2><<<1, 1>>>(held); //~[host,sm_90] arch-dependent-instantiation "fill<float, 2>"
#endif
}

template <class T>
void Filler<T>::Tail::run(T *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    fill<T, 3><<<1, 1>>>(out); //~[host,sm_90] arch-dependent-instantiation "fill<int, 3>"
#endif
}

void use(float *values, int *numbers) {
    Filler<float> filler{values};
    filler.run<9>(values);
    Filler<int>::Tail tail;
    tail.run(numbers);
}
