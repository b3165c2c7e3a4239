// Explicit specializations take the place of what the templates would give, whose launches vary: of a member of a class
// template, and of a function template, which is declared before its use and defined behind it.
template <class T, int Width = 1>
__global__ void square(T *data) {
    *data *= *data;
}

template <class T>
struct Squarer {
    void run(T *data) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
        square<<<1, 32>>>(data);
#endif
    }
};

template <>
void Squarer<float>::run(float *data) {
    square<float><<<1, 64>>>(data);
}

template <class T>
void apply(T *data) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    square<T, 2><<<1, 32>>>(data); //~[host,sm_90] arch-dependent-instantiation "square<int, 2>"
#endif
}

template <>
void apply<float>(float *data);

void use(float *data, int *numbers) {
    Squarer<float>().run(data);
    apply(data);
    apply(numbers);
}

template <>
void apply<float>(float *data) {
    square<<<1, 128>>>(data);
}
