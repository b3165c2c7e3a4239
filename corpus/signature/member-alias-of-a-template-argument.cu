// The parameter's type is a member of the template argument. The instantiation `reduce<Traits>` is the same
// in all passes, but the type it takes is `float` on one GPU and `double` on another.
struct Traits {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    using Accum = double;
#else
    using Accum = float;
#endif
};

template <class T>
__global__ void reduce(typename T::Accum seed, float *out) { //~ arch-dependent-signature "reduce"
    *out = seed;
}

int main() {
    reduce<Traits><<<1, 1>>>(1.0f, nullptr);
    return 0;
}
