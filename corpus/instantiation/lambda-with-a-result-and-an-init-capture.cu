// What a call of a lambda gives is its trailing return type, and an init-capture has the type of its initializer.
template <class T>
__global__ void scale(T *data) {
    *data *= T(2);
}

template <class T>
void run(T) {
    scale<T><<<1, 1>>>(nullptr); //~[host,sm_90] arch-dependent-instantiation "`scale<double>` (and 1 more)"
}

void use(int *data) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    auto half = [](int value) -> double { return value / 2; };
    run(half(1));
    auto launch = [copy = data] { scale<<<1, 1>>>(copy); };
    launch();
#endif
}
