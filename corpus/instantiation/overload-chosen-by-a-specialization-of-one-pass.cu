// A traits class that is specialized under a guard: what an overload finds in it selects another instantiation there.
template <class T, int Width>
__global__ void load(T *out) {
    *out = Width;
}

template <class T>
struct Vector {};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <>
struct Vector<float> {
    static constexpr int width = 4;
};
#endif

template <class V>
constexpr int width(...) {
    return 1;
}

template <class V>
constexpr int width(int, decltype(&V::width) = nullptr) {
    return V::width;
}

void run(float *floats, double *doubles) {
    load<float, width<Vector<float>>(0)><<<1, 1>>>(floats); //~[host,sm_90] arch-dependent-instantiation "`load<float, 4>`"
    load<double, width<Vector<double>>(0)><<<1, 1>>>(doubles);
}
