// The default argument is a type, a member of a class template that differs by pass.
template <class T>
struct Accumulator {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    using type = double;
#else
    using type = T;
#endif
};

template <class T, class A = typename Accumulator<T>::type>
__global__ void sum(T value, int *out) {
    *out = static_cast<int>(static_cast<A>(value));
}

int main() {
    sum<float><<<1, 1>>>(1.0f, (int *)nullptr); //~ arch-dependent-instantiation "sum"
    return 0;
}
