// Whether a class has a member is found out by substitution: in a partial specialization, and in the result of an overload.
template <class...>
using void_t = void;

template <class T, class = void>
struct HasTensorCores {
    static constexpr bool value = false;
};
template <class T>
struct HasTensorCores<T, void_t<typename T::fragment>> {
    static constexpr bool value = true;
};

struct Simt {};
struct Tensor {
    using fragment = float[8];
    void prefetch();
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using Policy = Tensor;
#else
using Policy = Simt;
#endif

template <bool TensorCores>
__global__ void multiply(float *data) {
    *data = TensorCores;
}
template <bool Prefetch>
__global__ void load(float *data) {
    *data = Prefetch;
}

template <class P>
auto launch_load(P policy, float *data, int) -> decltype(policy.prefetch(), void()) {
    load<true><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "load<true>"
}
template <class P>
void launch_load(P, float *data, long) {
    load<false><<<1, 1>>>(data);
}

void run(float *data) {
    multiply<HasTensorCores<Policy>::value><<<1, 1>>>(data); //~[sm_80] arch-dependent-instantiation "multiply<true>"
    launch_load(Policy(), data, 0);
}
