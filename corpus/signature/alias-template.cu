// An alias template names one of two class templates, by architecture. The two specializations are
// different types, so the kernel has two names.
template <class T>
struct Packed {
    T value;
};
template <class T>
struct Padded {
    T value;
    T padding;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
template <class T>
using Element = Packed<T>;
#else
template <class T>
using Element = Padded<T>;
#endif

__global__ void unpack(Element<int> element, int *out) { //~ arch-dependent-signature "unpack"
    *out = element.value;
}

int main() {
    unpack<<<1, 1>>>(Element<int>{}, nullptr);
    return 0;
}
