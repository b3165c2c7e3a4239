// Ordinary lambdas that only some passes have and that don't count: of other parameters, inside another lambda, behind the
// extended one, in another function; and one that all GPUs have and the host has not.
template <class F>
__global__ void apply(F body, int count) {
    if (threadIdx.x < count) body(threadIdx.x);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline int probe() { //~ host-code-behind-device-guard "host function `probe` has a definition"
    auto fetch = [](int index) { return index; };
    return fetch(1);
}
#endif

void smooth(float *data, int count) {
#ifdef __CUDA_ARCH__
    auto index_of = [](int index) { return index + 1; }; //~ host-code-behind-device-guard "host function `smooth`"
    (void)index_of;
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    auto fetch = [=](long index, float value) { //~[sm_90] host-code-behind-device-guard "host function `smooth`"
        auto scaled = [=](int factor) { return factor * value; };
        data[index] = scaled(2);
    };
    (void)fetch;
#endif
    apply<<<1, 64>>>([=] __device__(int index) { data[index] *= 2; }, count);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    auto last = [](int index) { return index; }; //~[sm_90] host-code-behind-device-guard "host function `smooth`"
    (void)last;
#endif
}
