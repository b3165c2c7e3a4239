// The launch is in a call operator. The functor's class is a template, nested in another, and is passed to a
// function template that calls it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using Scalar = double;
#else
using Scalar = float;
#endif

template <class T>
__global__ void fill(T *data, T value) {
    *data = value;
}

template <class T>
struct Ops {
    template <int Repeat>
    struct Fill {
        void operator()(T *data) const {
            for (int i = 0; i < Repeat; ++i) {
                fill<T><<<1, 1>>>(data, T(0)); //~[host,sm_80] arch-dependent-instantiation "fill<float>"
            }
        }
    };
};

template <class F, class T>
void apply(const F &f, T *data) {
    f(data);
}

int main() {
    apply(Ops<Scalar>::Fill<2>{}, (Scalar *)nullptr);
    return 0;
}
