// The argument asks whether two types are the same: a partial specialization for `<T, T>` says yes, and the primary
// template of a variable with an explicit specialization is asked too.
#ifdef __CUDA_ARCH__
using Half = unsigned short;
#else
using Half = float;
#endif

template <class A, class B>
struct is_same {
    static constexpr bool value = false;
};
template <class A>
struct is_same<A, A> {
    static constexpr bool value = true;
};
template <class T>
constexpr int lanes = 4;
template <>
constexpr int lanes<float> = 1;

template <bool Native, int Lanes>
__global__ void convert(float *out) {
    *out = Native * Lanes;
}

int main() {
    convert<is_same<Half, float>::value, lanes<Half>><<<1, 1>>>(nullptr); //~[host] arch-dependent-instantiation "convert<true, 1>"
    convert<is_same<char, float>::value, lanes<int>><<<1, 1>>>(nullptr);
    return 0;
}
