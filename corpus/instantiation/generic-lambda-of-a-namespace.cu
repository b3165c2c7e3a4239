// A generic lambda that a variable at namespace scope holds is instantiated by its calls.
template <class T>
__global__ void clear(T *data) {
    *data = T(0);
}

static const auto clear_all = [](auto *data) {
    clear<<<1, 1>>>(data); //~[host,sm_90] arch-dependent-instantiation "clear<int>"
};

void use(float *data, int *numbers) {
    clear_all(data);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    clear_all(numbers);
#endif
}
